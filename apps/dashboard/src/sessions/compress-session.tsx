import type { SessionView } from '@signalbox/api';
import { useState } from 'react';
import { client, type ApiRefusal, refusalFrom } from '../api/client.ts';
import { RefusalNote } from '../parts/refusal-note.tsx';
import { useIsLive } from '../workspace/panel-store.ts';

/** Has the conversation compressed before the next turn; the transcript shows when that is done. */
export function CompressSession({
  session: { id, context },
}: Readonly<{ session: Pick<SessionView, 'id' | 'context'> }>) {
  const isLive = useIsLive();
  const [refusal, setRefusal] = useState<ApiRefusal | null>(null);
  /** The number of compressions when one was requested. */
  const [requestedAt, setRequestedAt] = useState<number | null>(null);
  const isRequested = requestedAt === context.compressions;

  async function compress(): Promise<void> {
    try {
      await client.compressSession({ id });
      setRequestedAt(context.compressions);
      setRefusal(null);
    } catch (error) {
      setRefusal(refusalFrom(error));
    }
  }

  return (
    <>
      {refusal !== null && <RefusalNote refusal={refusal} />}
      <button
        type="button"
        className="btn sm quiet"
        disabled={!isLive || isRequested}
        title="Replaces earlier turns by a summary; the transcript keeps them"
        onClick={() => void compress()}
      >
        {isRequested ? 'Compresses before its next turn' : 'Compress'}
      </button>
    </>
  );
}
