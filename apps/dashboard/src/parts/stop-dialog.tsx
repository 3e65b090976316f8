import { type ReactNode, useState } from 'react';
import { ask, type Refusal, refusalFrom } from '../api/ask.ts';
import { lineOf, type Train } from '../house/train.ts';
import { Dialog } from './dialog.tsx';
import { RefusalNote } from './refusal-note.tsx';

/** Asks once more before a command is stopped, says what that means, and stops it. */
export function StopDialog({
  train,
  title,
  action,
  reason,
  isOpen,
  onClose,
  children,
}: Readonly<{
  train: Train;
  title: string;
  /** What the button says. */
  action: string;
  /** What the provider and the audit are told; a person's own word is enough where it is missing. */
  reason?: string;
  isOpen: boolean;
  onClose: () => void;
  children: ReactNode;
}>) {
  const [refusal, setRefusal] = useState<Refusal | null>(null);

  async function stop(): Promise<void> {
    setRefusal(null);
    try {
      await ask('POST', `/api/commands/${train.id}/cancel`, reason === undefined ? {} : { reason });
      onClose();
    } catch (error) {
      setRefusal(refusalFrom(error));
    }
  }

  return (
    <Dialog title={title} isOpen={isOpen} onClose={onClose}>
      <p>
        {children} {train.provider} is told.
      </p>
      <pre className="pcmd">{lineOf(train)}</pre>
      {refusal !== null && <RefusalNote refusal={refusal} />}
      <div className="acts">
        <button type="button" className="btn quiet" onClick={onClose}>
          Keep
        </button>
        <button type="button" className="btn stop" onClick={() => void stop()}>
          {action}
        </button>
      </div>
    </Dialog>
  );
}
