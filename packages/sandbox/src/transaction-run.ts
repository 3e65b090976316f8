import { type Execution, type ExecutionHooks, type ExecutionRequest, SandboxError } from '@signalbox/core';
import { type RunOptions, runCommand } from './command-run.ts';
import { commit, type CommitOutcome } from './commit/commit.ts';
import { pruneCommits } from './commit/recover.ts';
import type { LauncherOptions } from './overlay/launcher.ts';
import { holdOverlay, type Overlay } from './overlay/overlay.ts';
import { type Change, readWriteSet } from './overlay/write-set.ts';

export type TransactionOptions = {
  readonly run: RunOptions;
  readonly launcher: LauncherOptions;
  /** A file of ours on the workspace's file system, to ask for the kernel's time. */
  readonly clockFile: string;
  /** Folder of all commits. */
  readonly commits: string;
  readonly whyRefused: (path: string) => string | null;
  /** Exit codes whose files are not put. */
  readonly rollBackOn: readonly number[];
};

/**
 * Runs a command on an overlay of the workspace and, when its process tree is dead, puts what it wrote into
 * the workspace: all or nothing. A command that we ended before its own end leaves nothing.
 *
 * @throws {SandboxError} when it could not be confined or its files could not be put: then nothing was.
 */
export async function runTransaction(
  request: ExecutionRequest,
  hooks: ExecutionHooks,
  options: TransactionOptions,
): Promise<Execution> {
  const { overlay, execution } = await runOnOverlay(request, hooks, options);
  try {
    const changes = overlay === null || !hasEndedItself(execution) ? [] : changesOf(options, overlay);
    if (overlay === null || changes.length === 0) return { ...execution, changes: [] };
    if (isRolledBack(execution, options)) return { ...execution, changes: [], rolledBack: true };
    const outcome = await commit({
      commandId: request.commandId,
      workspace: options.launcher.workspace,
      commits: options.commits,
      changes,
      since: overlay.since,
      whyRefused: options.whyRefused,
      mayCommit: hooks.mayCommit,
      signal: hooks.signal,
    });
    if (outcome.kind === 'committed') letGoOfOldest(options.commits);
    return { ...execution, ...endingOf(outcome, execution) };
  } finally {
    overlay?.close();
  }
}

/** What a command would change; nothing is put. */
export async function rehearse(
  request: ExecutionRequest,
  hooks: ExecutionHooks,
  options: TransactionOptions,
): Promise<{ readonly execution: Execution; readonly changes: readonly Change[] }> {
  const { overlay, execution } = await runOnOverlay(request, hooks, options);
  try {
    return { execution, changes: overlay === null ? [] : changesOf(options, overlay) };
  } finally {
    overlay?.close();
  }
}

type Ran = { readonly execution: Execution; readonly overlay: Overlay | null };

async function runOnOverlay(
  request: ExecutionRequest,
  hooks: ExecutionHooks,
  { run, launcher, clockFile }: TransactionOptions,
): Promise<Ran> {
  const held: { overlay: Overlay | null } = { overlay: null };
  try {
    const execution = await runCommand(request, hooks, {
      ...run,
      onConfined(pid) {
        held.overlay = holdOverlay(pid, launcher.mountPoint, clockFile);
      },
      // What it writes lies in memory and counts as the command's own.
      writtenBytes: launcher.maxBytes,
    });
    return { execution, overlay: held.overlay };
  } catch (cause) {
    held.overlay?.close();
    throw cause;
  }
}

function hasEndedItself({ ended }: Execution): boolean {
  return ended.kind === 'exited' || ended.kind === 'signalled';
}

function isRolledBack({ ended }: Execution, { rollBackOn }: TransactionOptions): boolean {
  return ended.kind === 'exited' && rollBackOn.includes(ended.exitCode);
}

function changesOf({ launcher }: TransactionOptions, overlay: Overlay): Change[] {
  try {
    return readWriteSet(launcher.workspace, overlay);
  } catch (cause) {
    const why = cause instanceof Error ? [cause.message] : [];
    throw new SandboxError('Cannot tell what the command changed; none of its files was put', { cause, why });
  }
}

function endingOf(
  outcome: CommitOutcome,
  { ended }: Execution,
): Pick<Execution, 'changes'> & Partial<Execution> {
  const exitCode = ended.kind === 'exited' ? ended.exitCode : -1;
  switch (outcome.kind) {
    case 'committed':
      return { changes: outcome.changes };
    case 'conflict':
      return { changes: [], ended: { ...outcome, exitCode } };
    case 'refused':
      return { changes: [], ended: { ...outcome, exitCode } };
    case 'aborted':
      return { changes: [], ended: { kind: 'stopped' } };
  }
}

/** Its own failure is none of the command. */
function letGoOfOldest(commits: string): void {
  try {
    pruneCommits(commits);
  } catch {
    // The next commit tries again.
  }
}
