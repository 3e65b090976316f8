import { useState } from 'react';
import { client, type ApiRefusal, refusalFrom } from '../api/client.ts';
import type { SessionView } from '@signalbox/api';
import { useWorkspace, useIsLive } from '../workspace/panel-store.ts';
import { lineOf } from '../workspace/command-text.ts';
import { Dialog } from '../parts/dialog.tsx';
import { RefusalNote } from '../parts/refusal-note.tsx';
import { Code } from '../parts/with-code.tsx';
import styles from './stop-session.module.css';

/** Ends a session after confirmation; says what is cancelled with it. */
export function StopSession({ session }: Readonly<{ session: SessionView }>) {
  const isLive = useIsLive();
  const summaries = useWorkspace((panel) => panel.commands);
  const [isAsking, setAsking] = useState(false);
  const [refusal, setRefusal] = useState<ApiRefusal | null>(null);
  const alive = [...summaries.values()].filter(
    ({ sessionId, endedAt }) => sessionId === session.id && endedAt === null,
  );

  async function stop(): Promise<void> {
    try {
      await client.stopSession({ id: session.id });
      setAsking(false);
    } catch (error) {
      setRefusal(refusalFrom(error));
    }
  }

  return (
    <>
      <button type="button" className="btn sm stop" disabled={!isLive} onClick={() => setAsking(true)}>
        Stop…
      </button>
      <Dialog title="Stop this session?" isOpen={isAsking} onClose={() => setAsking(false)}>
        <p>No new turns and calls. {alive.length === 0 ? 'No command running.' : 'This is cancelled:'}</p>
        {alive.length > 0 && (
          <ul className={styles['commands']}>
            {alive.map((summary) => (
              <li key={summary.id}>
                <Code text={lineOf(summary)} />
              </li>
            ))}
          </ul>
        )}
        {refusal !== null && <RefusalNote refusal={refusal} />}
        <div className="actions">
          <button type="button" className="btn quiet" onClick={() => setAsking(false)}>
            Keep
          </button>
          <button type="button" className="btn stop" onClick={() => void stop()}>
            Stop session
          </button>
        </div>
      </Dialog>
    </>
  );
}
