import type { CommandRecord } from '@signalbox/core';
import type { WorkspaceHolder } from '../../runtime/contract/runtime.ts';
import type { StatusData } from '../../views/status-view.ts';

/** Current activity of a workspace. */
export type StatusRead = Readonly<{ data: StatusData; coordinator: WorkspaceHolder | null }>;

/** Least time left first. */
export async function pendingIn({
  unfinished,
}: Readonly<{
  unfinished(
    of: Readonly<{ states: readonly ['awaiting_approval']; limit: number }>,
  ): Promise<readonly CommandRecord[]>;
}>): Promise<readonly CommandRecord[]> {
  const pending = await unfinished({ states: ['awaiting_approval'], limit: 1000 });
  return pending.toSorted((a, b) => (a.approval?.expiresAt ?? 0) - (b.approval?.expiresAt ?? 0));
}
