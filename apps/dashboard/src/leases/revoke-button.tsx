import { useState } from 'react';
import { ask, type Refusal, refusalFrom } from '../api/ask.ts';
import { useHouse, useIsLive, useMayOperate } from '../house/panel-store.ts';
import { lineOf, type Train } from '../house/train.ts';
import { Dialog } from '../parts/dialog.tsx';
import { RefusalNote } from '../parts/refusal-note.tsx';

/** Takes a lease from who holds it. That is to stop its process: what is held is free only when it is dead. */
export function RevokeButton({ train, resources }: Readonly<{ train: Train; resources: number }>) {
  const isLive = useIsLive();
  const mayOperate = useMayOperate();
  const isTransaction = useHouse(({ isolation }) => isolation === 'overlay');
  const [isAsking, setAsking] = useState(false);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const what = resources === 1 ? '1 resource' : `${resources} resources`;

  async function revoke(): Promise<void> {
    setRefusal(null);
    try {
      await ask('POST', `/api/commands/${train.id}/cancel`, { reason: `its lease on ${what} was revoked` });
      setAsking(false);
    } catch (error) {
      setRefusal(refusalFrom(error));
    }
  }

  return (
    <>
      <button
        type="button"
        className="btn sm stop"
        disabled={!isLive || !mayOperate}
        title={mayOperate ? undefined : 'Only an operator revokes a lease'}
        onClick={() => setAsking(true)}
      >
        Revoke lease…
      </button>
      <Dialog title={`Revoke the lease on ${what}?`} isOpen={isAsking} onClose={() => setAsking(false)}>
        <p>
          This stops the command. Who is next in line gets the lease when its process is dead.{' '}
          {isTransaction
            ? 'A shell line is a transaction: nothing that it wrote is kept.'
            : 'What it has written so far stays.'}{' '}
          {train.provider} is told.
        </p>
        <pre className="pcmd">{lineOf(train)}</pre>
        {refusal !== null && <RefusalNote refusal={refusal} />}
        <div className="acts">
          <button type="button" className="btn quiet" onClick={() => setAsking(false)}>
            Keep
          </button>
          <button type="button" className="btn stop" onClick={() => void revoke()}>
            Revoke lease
          </button>
        </div>
      </Dialog>
    </>
  );
}
