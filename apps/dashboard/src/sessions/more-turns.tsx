import type { SessionView } from '@signalbox/api';
import { useState } from 'react';
import { client, type ApiRefusal, refusalFrom } from '../api/client.ts';
import { useIsLive } from '../workspace/panel-store.ts';
import { Shown } from '../parts/with-code.tsx';
import { RefusalNote } from '../parts/refusal-note.tsx';
import { countText } from './cost-text.ts';

/** As many as a terminal grants. */
const MORE_TURNS = 10;

/** For a waiting session without turns left, or with a critical failure: let it continue, or end it. */
export function MoreTurns({ session: { id, turns, criticalFailure } }: Readonly<{ session: SessionView }>) {
  const isLive = useIsLive();
  const [refusal, setRefusal] = useState<ApiRefusal | null>(null);

  async function give(more: number): Promise<void> {
    try {
      await client.grantTurns({ id, turns: more });
    } catch (error) {
      setRefusal(refusalFrom(error));
    }
  }

  return (
    <div className="padded" role="group" aria-label="More turns">
      <p>
        {criticalFailure === null ? (
          `It used ${countText(turns, 'turn')} and is not done.`
        ) : (
          <>
            It stopped at a failed call: <Shown text={criticalFailure} />
          </>
        )}
      </p>
      <div className="actions">
        <button type="button" className="btn quiet" disabled={!isLive} onClick={() => void give(0)}>
          End session
        </button>
        <button type="button" className="btn" disabled={!isLive} onClick={() => void give(MORE_TURNS)}>
          {criticalFailure === null ? `${MORE_TURNS} more turns` : 'Continue'}
        </button>
      </div>
      {refusal !== null && <RefusalNote refusal={refusal} />}
    </div>
  );
}
