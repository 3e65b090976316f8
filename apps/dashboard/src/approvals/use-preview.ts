import type { CallPreview } from '@signalbox/core';
import { useQuery } from '@tanstack/react-query';
import { ask } from '../api/ask.ts';
import type { CommandView } from '@signalbox/api';

/** What a pending call would do; looked up again when it is another question. */
export function usePreview({ id, approval }: Pick<CommandView, 'id' | 'approval'>) {
  return useQuery({
    queryKey: ['preview', id, approval?.callHash],
    queryFn: () => ask<CallPreview>('GET', `/api/approvals/${id}/preview`),
    enabled: approval?.status === 'pending',
    staleTime: Infinity,
    retry: false,
  });
}
