import type { Mode } from '@signalbox/core';
import { useState } from 'react';
import { client, type ApiRefusal, refusalFrom } from '../api/client.ts';
import { useWorkspace, useIsLive, useMayOperate } from '../workspace/panel-store.ts';
import { Dialog } from '../parts/dialog.tsx';
import { RefusalNote } from '../parts/refusal-note.tsx';
import { MODE_MEANS, ModeSwitch, MODES } from './mode-switch.tsx';
import styles from './mode-dialog.module.css';

type Props = Readonly<{ isOpen: boolean; onClose: () => void; first?: Mode }>;

/** Five modes; each change needs a reason, for the audit log. */
export function ModeDialog(props: Props) {
  return (
    <Dialog title="Operational mode" isOpen={props.isOpen} onClose={props.onClose}>
      <ModeForm {...props} />
    </Dialog>
  );
}

function ModeForm({ onClose, first }: Props) {
  const now = useWorkspace(({ mode }) => mode.mode);
  const isLive = useIsLive();
  const mayOperate = useMayOperate();
  const [wanted, setWanted] = useState<Mode>(first ?? now);
  const [reason, setReason] = useState('');
  const [refusal, setRefusal] = useState<ApiRefusal | null>(null);

  async function set(): Promise<void> {
    try {
      await client.setMode({ mode: wanted, reason });
      onClose();
    } catch (error) {
      setRefusal(refusalFrom(error));
    }
  }

  return (
    <form
      className="form"
      onSubmit={(event) => {
        event.preventDefault();
        void set();
      }}
    >
      <fieldset className={styles['modes']}>
        <legend className="sr">Mode</legend>
        {MODES.map((mode) => (
          <label key={mode} data-on={mode === wanted}>
            <input
              type="radio"
              name="mode"
              value={mode}
              checked={mode === wanted}
              onChange={() => setWanted(mode)}
            />
            <ModeSwitch mode={mode} />
            <b>{mode}</b>
            <span>{mode === now ? `${MODE_MEANS[mode]}. Now` : MODE_MEANS[mode]}</span>
          </label>
        ))}
      </fieldset>
      <label className="field">
        Reason
        <input value={reason} maxLength={500} onChange={({ target }) => setReason(target.value)} />
      </label>
      {refusal !== null && <RefusalNote refusal={refusal} />}
      <div className="actions">
        <button type="button" className="btn quiet" onClick={onClose}>
          Keep {now}
        </button>
        <button
          type="submit"
          className={wanted === 'LOCKDOWN' ? 'btn stop' : 'btn'}
          disabled={!isLive || !mayOperate || wanted === now || reason.trim() === ''}
          title={mayOperate ? undefined : 'Requires the operator role'}
        >
          {wanted === now
            ? 'Set mode'
            : now === 'LOCKDOWN'
              ? `Leave LOCKDOWN for ${wanted}`
              : `Set ${wanted}`}
        </button>
      </div>
    </form>
  );
}
