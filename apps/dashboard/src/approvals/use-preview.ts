import { useQuery } from '@tanstack/react-query';
import { client } from '../api/client.ts';
import type { CommandView } from '@signalbox/api';

/** What a pending call would do; fetched again for a renewed approval. */
export function usePreview({ id, approval }: Pick<CommandView, 'id' | 'approval'>) {
  return useQuery({
    queryKey: ['preview', id, approval?.callHash],
    queryFn: () => client.previewApproval({ id }),
    enabled: approval?.status === 'pending',
    staleTime: Infinity,
    retry: false,
  });
}
