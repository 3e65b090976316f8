import { useState } from 'react';
import { useWorkspace, usePanel } from '../workspace/panel-store.ts';
import { Icon } from '../parts/icon.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { PAGE_LIST, type PageEntry } from './page-list.ts';
import { linkTo, type Page } from './route.ts';
import { useCounts } from './use-counts.ts';
import styles from './side-bar.module.css';

export function SideBar({ page }: Readonly<{ page: Page }>) {
  const { asking, waiting } = useCounts();
  return (
    <nav className={styles['pages']} aria-label="Pages">
      {PAGE_LIST.map((entry) => (
        <a
          key={entry.page}
          href={linkTo(entry.page)}
          title={entry.name}
          {...(entry.page === page ? { 'aria-current': 'page' } : {})}
        >
          <Icon name={entry.icon} />
          <span className={styles['name']}>{entry.name}</span>
          {entry.page === 'approvals' && asking > 0 && (
            <span className={`${styles['badge']} ${styles['need']}`}>{asking}</span>
          )}
          {entry.page === 'leases' && waiting > 0 && (
            <span className={`${styles['badge']} ${styles['quiet']}`}>{waiting}</span>
          )}
        </a>
      ))}
      <Footer />
    </nav>
  );
}

function Footer() {
  const has = usePanel(({ panel }) => panel !== null);
  return has ? <KnownFooter /> : null;
}

function KnownFooter() {
  const isolation = useWorkspace((panel) => panel.isolation);
  const version = useWorkspace((panel) => panel.version);
  const { name, role } = useWorkspace((panel) => panel.you);
  return (
    <div className={styles['foot']}>
      {name}, {role}
      <br />
      {isolation === 'none' ? 'No sandbox' : `Sandbox: ${isolation}`}
      <br />
      Signalbox {version}
    </div>
  );
}

/** On a phone, at the bottom: four pages and the others behind one button. */
export function Tabs({ page }: Readonly<{ page: Page }>) {
  const { asking } = useCounts();
  const [isOpen, setOpen] = useState(false);
  const [direct, more] = [PAGE_LIST.slice(0, 4), PAGE_LIST.slice(4)];
  const isMore = more.some((entry) => entry.page === page);
  return (
    <nav className={styles['tabs']} aria-label="Pages">
      {direct.map((entry) => (
        <TabLink key={entry.page} entry={entry} isHere={entry.page === page} asking={asking} />
      ))}
      <button type="button" onClick={() => setOpen(true)} {...(isMore ? { 'aria-current': 'page' } : {})}>
        <Icon name="more" />
        More
      </button>
      <Dialog title="More pages" isOpen={isOpen} onClose={() => setOpen(false)}>
        <div className={styles['menu']}>
          {more.map((entry) => (
            <a key={entry.page} href={linkTo(entry.page)} onClick={() => setOpen(false)}>
              <Icon name={entry.icon} />
              {entry.name}
            </a>
          ))}
        </div>
      </Dialog>
    </nav>
  );
}

function TabLink({ entry, isHere, asking }: Readonly<{ entry: PageEntry; isHere: boolean; asking: number }>) {
  return (
    <a href={linkTo(entry.page)} {...(isHere ? { 'aria-current': 'page' } : {})}>
      <Icon name={entry.icon} />
      {entry.short}
      {entry.page === 'approvals' && asking > 0 && <em>{asking}</em>}
    </a>
  );
}
