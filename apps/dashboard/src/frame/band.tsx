import { useEffect, useState } from 'react';
import { type Link, useWorkspace, usePanel } from '../workspace/panel-store.ts';
import { timeOfDay } from '../workspace/time-text.ts';
import { ModeDialog } from './mode-dialog.tsx';
import { Shown } from '../parts/with-code.tsx';
import styles from './band.module.css';

const SHOWN_MS = 4000;

/** Hidden when all is well. Only this may push content down. */
export function Band({ onTryNow }: Readonly<{ onTryNow: () => void }>) {
  const link = usePanel((state) => state.link);
  const has = usePanel(({ panel }) => panel !== null);
  if (link.kind === 'reconnecting') {
    return (
      <div className={styles['band']} data-kind="wait" role="status">
        <span>Not connected. Showing the state of {timeOfDay(link.seenAt)}. Reconnecting…</span>
        <button type="button" onClick={onTryNow}>
          Try now
        </button>
      </div>
    );
  }
  if (link.kind === 'away') {
    return (
      <div className={styles['band']} data-kind="wait" role="status">
        <span>
          {link.why}. Showing the state of {timeOfDay(link.asOf)}. Nothing can be sent or decided until it
          answers; the page then resumes by itself
        </span>
      </div>
    );
  }
  return (
    <>
      <CaughtUp link={link} />
      {has && <ModeBand />}
    </>
  );
}

function CaughtUp({ link }: Readonly<{ link: Link }>) {
  const [over, setOver] = useState<Link | null>(null);
  useEffect(() => {
    const timer = setTimeout(() => setOver(link), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [link]);
  if (over === link || link.kind !== 'live') return null;
  const { caughtUp, reloaded } = link;
  if (!reloaded && caughtUp === null) return null;
  return (
    <div className={styles['band']} data-kind="ok" role="status">
      {reloaded
        ? 'Reloaded: too much happened to replay'
        : `Connected. ${caughtUp === 1 ? '1 event' : `${caughtUp ?? 0} events`} caught up`}
    </div>
  );
}

function ModeBand() {
  const { mode, by, since, reason } = useWorkspace((panel) => panel.mode);
  const [isOpen, setOpen] = useState(false);
  if (mode === 'NORMAL') return null;
  const what = mode === 'LOCKDOWN' ? 'LOCKDOWN: tools that write are denied.' : `${mode}:`;
  return (
    <div className={styles['band']} data-kind={mode === 'LOCKDOWN' ? 'stop' : 'wait'} role="status">
      <span>
        {what} <Shown text={`${reason === '' ? '' : `“${reason}”. `}Set by ${by} at ${timeOfDay(since)}`} />
      </span>
      <button type="button" onClick={() => setOpen(true)}>
        Leave {mode}…
      </button>
      <ModeDialog isOpen={isOpen} onClose={() => setOpen(false)} first="NORMAL" />
    </div>
  );
}
