import { useQuery } from '@tanstack/react-query';
import { client } from '../api/client.ts';
import type { FileDiff } from '@signalbox/api';

/** The changes of a command, compared with the current files; fetched when `isWanted`. */
export function useChanges(id: string, isWanted: boolean) {
  return useQuery({
    queryKey: ['changes', id],
    queryFn: async () => (await client.getDiff({ id })).files,
    enabled: isWanted,
    retry: false,
    // A file may change at any moment.
    staleTime: 0,
  });
}

/** Git's own files are committed and undone with the others, but are of no interest to a reader. */
export function isOfGit({ path }: Pick<FileDiff, 'path'>): boolean {
  return path.split('/').includes('.git');
}
