import { useState } from 'react';
import { ModeDialog } from '../frame/mode-dialog.tsx';
import { MODE_MEANS, ModeSwitch } from '../frame/mode-switch.tsx';
import { useWorkspace } from '../workspace/panel-store.ts';
import { timeOfDay } from '../workspace/time-text.ts';
import { Shown } from '../parts/with-code.tsx';
import styles from './mode-card.module.css';

export function ModeCard() {
  const { mode, by, since, reason } = useWorkspace((panel) => panel.mode);
  const [isOpen, setOpen] = useState(false);
  return (
    <section className="panel" aria-label="Mode">
      <div className="panel-title">
        <h2>Mode</h2>
        <span className="spacer" />
        <button type="button" className="btn sm" onClick={() => setOpen(true)}>
          Change…
        </button>
        <ModeDialog isOpen={isOpen} onClose={() => setOpen(false)} />
      </div>
      <div className={`padded ${styles['current']}`}>
        <ModeSwitch mode={mode} />
        <div>
          <b>{mode}</b>
          <p className="mid">{MODE_MEANS[mode]}</p>
          <p className="status">
            <Shown text={`Set by ${by} at ${timeOfDay(since)}${reason === '' ? '' : `: ${reason}`}`} />
          </p>
        </div>
      </div>
    </section>
  );
}
