import { useQuery } from '@tanstack/react-query';
import { client } from './client.ts';

/** One whole command; refetched when `state` changes. */
export function useCommand(id: string | null, state: string | null) {
  return useQuery({
    queryKey: ['command', id, state],
    queryFn: () => client.getCommand({ id: id ?? '' }),
    enabled: id !== null,
    placeholderData: (before) => (before?.id === id ? before : undefined),
    staleTime: 60_000,
  });
}

/** Pending approvals; `questions` changes with each event that may have changed them. */
export function useApprovals(questions: number) {
  return useQuery({
    queryKey: ['approvals', questions],
    queryFn: async () => (await client.listApprovals()).approvals,
    placeholderData: (before) => before,
  });
}
