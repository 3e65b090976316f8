import { type ReactNode, useState } from 'react';
import { type ApiRefusal, refusalFrom } from '../api/client.ts';
import type { CommandSummary } from '@signalbox/api';
import { lineOf } from '../workspace/command-text.ts';
import { Dialog } from './dialog.tsx';
import { RefusalNote } from './refusal-note.tsx';
import { Code } from './with-code.tsx';
import styles from './stop-dialog.module.css';

type Props = Readonly<{
  summary: CommandSummary;
  title: string;
  /** Label of the button. */
  action: string;
  /** The user's reason; undefined without one. */
  onStop: (reason: string | undefined) => Promise<unknown>;
  isOpen: boolean;
  onClose: () => void;
  children: ReactNode;
}>;

/** Confirms before a command is stopped, says what that means, and stops it. */
export function StopDialog(props: Props) {
  return (
    <Dialog title={props.title} isOpen={props.isOpen} onClose={props.onClose}>
      <StopForm {...props} />
    </Dialog>
  );
}

function StopForm({ summary, action, onStop, onClose, children }: Props) {
  const [reason, setReason] = useState('');
  const [refusal, setRefusal] = useState<ApiRefusal | null>(null);
  const [isSending, setSending] = useState(false);

  async function stop(): Promise<void> {
    setRefusal(null);
    setSending(true);
    try {
      await onStop(reason.trim() === '' ? undefined : reason.trim());
      onClose();
    } catch (error) {
      setRefusal(refusalFrom(error));
      setSending(false);
    }
  }

  return (
    <form
      className="form"
      onSubmit={(event) => {
        event.preventDefault();
        void stop();
      }}
    >
      <p>{children}</p>
      <pre className={styles['command']}>
        <Code text={lineOf(summary)} />
      </pre>
      <label className="field">
        Say why, if you like. {summary.provider} reads this
        <input value={reason} maxLength={500} onChange={({ target }) => setReason(target.value)} />
      </label>
      {refusal !== null && <RefusalNote refusal={refusal} />}
      <div className="actions">
        <button type="button" className="btn quiet" onClick={onClose}>
          Keep
        </button>
        <button type="submit" className="btn stop" disabled={isSending}>
          {action}
        </button>
      </div>
    </form>
  );
}
