import { InvariantError, SandboxError, type Writer } from '@signalbox/core';
import type { WriteSetChange } from '../overlay/write-set.ts';
import { codeOf } from '../files/file-failure.ts';
import { commit, type CommitRequest } from './commit.ts';
import { type CopyRetention, letGoOfOldest } from './let-go.ts';

/**
 * Makes changes of one file tool by the way that transactions take: all or nothing, journaled, and what is replaced
 * is kept for undo.
 *
 * @returns False when somebody changed a path since its change was made up: nothing was put.
 * @throws What the writer or the system says; nothing was put.
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
    // What stands there is compared by its stamp.
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
    // The system's own word says more to who knows it.
    throw cause instanceof SandboxError && codeOf(cause.cause) !== null ? cause.cause : cause;
  });
  if (outcome.kind === 'refused') throw refusal;
  if (outcome.kind === 'aborted') throw new InvariantError('Cannot be stopped: nobody has the means');
  if (outcome.kind === 'committed') await letGoOfOldest(commits, options.copiesKept);
  return outcome.kind === 'committed';
}
