import { InvariantError, SandboxError, type Writer } from '@signalbox/core';
import type { WriteSetChange } from '../overlay/write-set.ts';
import { codeOf } from '../files/file-failure.ts';
import { commit, type CommitRequest } from './commit.ts';
import { type CopyRetention, pruneCopies } from './prune-copies.ts';

/**
 * Applies the changes of a file tool the way a transaction does: all or nothing, journaled, with replaced files
 * kept for undo.
 *
 * @returns False when a path has changed since its change was computed; nothing was written.
 * @throws the error of the writer or the system; nothing was written
 */
export async function commitChange(
  changes: readonly WriteSetChange[],
  options: Pick<CommitRequest, 'workspace' | 'commits' | 'writer'> & {
    readonly by: Writer;
    readonly copiesKept?: CopyRetention | undefined;
  },
): Promise<boolean> {
  const { workspace, commits, writer, by } = options;
  let refusal: unknown;
  const request = {
    workspace,
    commits,
    writer,
    changes,
    commandId: by.commandId,
    // Existing files are compared by their stamp instead.
    since: 2n ** 62n,
    whyRefused: () => null,
    signal: new AbortController().signal,
    async mayCommit() {
      try {
        await by.mayChange();
        return { kind: 'ok' } as const;
      } catch (cause) {
        refusal = cause;
        return { kind: 'denied', why: [] } as const;
      }
    },
  };
  const outcome = await commit(request).catch((cause: unknown) => {
    // The system's error code is more precise.
    throw cause instanceof SandboxError && codeOf(cause.cause) !== null ? cause.cause : cause;
  });
  if (outcome.kind === 'refused') throw refusal;
  if (outcome.kind === 'aborted') throw new InvariantError('A commit without a signal was aborted');
  if (outcome.kind === 'committed') await pruneCopies(commits, options.copiesKept);
  return outcome.kind === 'committed';
}
