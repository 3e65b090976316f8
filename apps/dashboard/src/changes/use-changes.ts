import { useQuery } from '@tanstack/react-query';
import { client } from '../api/client.ts';
import type { FileDiff } from '@signalbox/api';

/** What a command changed, as it stands now against what it left; asked when `isWanted`. */
export function useChanges(id: string, isWanted: boolean) {
  return useQuery({
    queryKey: ['changes', id],
    queryFn: async () => (await client.getDiff({ id })).files,
    enabled: isWanted,
    retry: false,
    // Whether anybody has changed a file since may be another answer a moment later.
    staleTime: 0,
  });
}

/** Git's own files are put and taken back with the others, and say nothing to a reader. */
export function isOfGit({ path }: Pick<FileDiff, 'path'>): boolean {
  return path.split('/').includes('.git');
}
