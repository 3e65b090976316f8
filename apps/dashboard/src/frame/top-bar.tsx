import { useState } from 'react';
import { usePanel } from '../workspace/panel-store.ts';
import { Icon } from '../parts/icon.tsx';
import { FIND_KEY } from './keys.ts';
import { Mark } from './mark.tsx';
import { ModeDialog } from './mode-dialog.tsx';
import { ModeSwitch } from './mode-switch.tsx';
import { linkTo } from './route.ts';
import { switchTheme } from './theme.ts';
import { WorkspaceName } from './workspace-name.tsx';
import styles from './top-bar.module.css';

export function TopBar({ onFind }: Readonly<{ onFind: () => void }>) {
  return (
    <header className={styles['bar']}>
      <a className={styles['brand']} href={linkTo('live')} aria-label="Signalbox, Live">
        <Mark />
        <b>Signalbox</b>
      </a>
      <WorkspaceName />
      <span className="spacer" />
      <button type="button" className={styles['find']} onClick={onFind}>
        <Icon name="search" />
        <span>Find or run</span>
        <kbd>{FIND_KEY}</kbd>
      </button>
      <LinkState />
      <ModeButton />
      <button type="button" className="icon-button" aria-label="Switch theme" onClick={switchTheme}>
        <Icon name="theme" />
      </button>
    </header>
  );
}

const LINK_WORDS = {
  connecting: 'Connecting',
  live: 'Connected',
  reconnecting: 'Reconnecting',
  away: 'Backend unreachable',
  refused: 'Signed out',
  failed: 'Not connected',
} as const;

function LinkState() {
  const kind = usePanel(({ link }) => link.kind);
  return (
    <div className={styles['connection']} role="status" data-kind={kind}>
      <i aria-hidden="true" />
      <span>{LINK_WORDS[kind]}</span>
    </div>
  );
}

function ModeButton() {
  const mode = usePanel(({ panel }) => panel?.mode.mode ?? null);
  const [isOpen, setOpen] = useState(false);
  if (mode === null) return null;
  return (
    <>
      <button
        type="button"
        className={styles['mode']}
        aria-haspopup="dialog"
        aria-label={`Mode ${mode}, change`}
        onClick={() => setOpen(true)}
      >
        <ModeSwitch mode={mode} />
        {mode}
      </button>
      <ModeDialog isOpen={isOpen} onClose={() => setOpen(false)} />
    </>
  );
}
