import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { client, type ApiRefusal, refusalFrom } from '../api/client.ts';
import { useWorkspace } from '../workspace/panel-store.ts';
import { filesOf, type UndoToSend } from './review-files.ts';

/** Changes that were not undone; refetched when the reader returns to the page, and after each undo. */
export function useReview(session: string | null) {
  const review = useQuery({
    queryKey: ['review', session],
    queryFn: () => client.getReview(session === null ? {} : { session }),
    staleTime: 0,
    placeholderData: (before) => before,
  });
  const files = useMemo(() => (review.data === undefined ? null : filesOf(review.data)), [review.data]);
  return { review, files };
}

/** Marks of files and hunks, shared by all terminals and pages; null: not loaded yet. */
export function useKept() {
  const queries = useQueryClient();
  const { data } = useQuery({ queryKey: KEPT, queryFn: () => client.listKept(), staleTime: 0 });
  const kept = useMemo(() => new Set(data?.keys), [data]);
  const [refusal, setRefusal] = useState<ApiRefusal | null>(null);
  async function keep(keys: readonly string[]): Promise<void> {
    setRefusal(null);
    try {
      queries.setQueryData(KEPT, await client.keepReviewed({ keys }));
    } catch (error) {
      setRefusal(refusalFrom(error));
    }
  }
  return { kept, keep, refusal };
}

const KEPT = ['review-kept'];

/** Commands that ended since the list was made, so that the reader can refresh it. */
export function useEndedSince(stamp: number): boolean {
  return useWorkspace(({ commands }) =>
    [...commands.values()].some(({ tool, endedAt }) => tool !== 'undo' && (endedAt ?? 0) > stamp),
  );
}

export type UndoState = Readonly<{
  /** Disables the buttons. */
  isSending: boolean;
  refusal: ApiRefusal | null;
  notice: string;
  undo(calls: readonly UndoToSend[], what: string): Promise<void>;
}>;

/** Sends one undo after the other, up to the first failure. */
export function useUndo(): UndoState {
  const queries = useQueryClient();
  const [isSending, setSending] = useState(false);
  const [refusal, setRefusal] = useState<ApiRefusal | null>(null);
  const [notice, setNotice] = useState('');
  return {
    isSending,
    refusal,
    notice,
    async undo(calls, what) {
      setSending(true);
      setRefusal(null);
      setNotice('');
      try {
        const problem = await sendAll(calls);
        setNotice(problem ?? `${what} undone`);
      } catch (error) {
        setRefusal(refusalFrom(error));
      } finally {
        setSending(false);
        await queries.invalidateQueries({ queryKey: ['review'] });
      }
    },
  };
}

/** Null: everything was undone. */
async function sendAll(calls: readonly UndoToSend[]): Promise<string | null> {
  for (const { command, ...what } of calls) {
    const { result } = await client.undoCommand({ ...what, id: command, part: true });
    if (result === null) return 'The undo waits for a lease or another approver';
    if (result.outcome.kind !== 'completed') return result.outcome.failure.message;
  }
  return null;
}
