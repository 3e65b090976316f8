import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Execution, type ExecutionHooks, isAnswer, SandboxError } from '@signalbox/core';
import type { CommandRunOptions } from './layers/command-run-options.ts';
import { runCommand } from './command-run.ts';
import { commit, type CommitOutcome, RollbackFailedError } from './commit/commit.ts';
import { bytesToWrite } from './commit/disk/hard-links.ts';
import { pruneCopies } from './commit/prune-copies.ts';
import type { CommitWriter } from './commit/disk/writer.ts';
import type { ReadView } from './denials/read-view.ts';
import type { TransactionRules } from './executor-options.ts';
import type { GitJudgement } from './git/git-judgement.ts';
import type { MarkedView } from './git/hidden-from-git.ts';
import type { BoundedRequest } from './limits/bounded-limits.ts';
import { overBytes, overNames } from './limits/over-written.ts';
import type { LauncherOptions } from './overlay/launcher.ts';
import { countNames } from './overlay/disk-layer.ts';
import { holdOverlay, type Overlay } from './overlay/overlay.ts';
import { watchNames } from './overlay/watch-names.ts';
import { writtenTo } from './overlay/written.ts';
import { statAt } from './overlay/file-stat.ts';
import { type WriteSetChange, readWriteSet } from './overlay/write-set.ts';
import { flatMapInTurns, type Turn } from './turns.ts';

export type TransactionOptions = {
  readonly run: CommandRunOptions;
  readonly launcher: LauncherOptions;
  /** A file of ours on the workspace's file system, used to read the kernel's time. */
  readonly clockFile: string;
  /** Folder of all commits. */
  readonly commits: string;
  readonly writer: CommitWriter | undefined;
  readonly whyRefused: (path: string) => string | null;
  readonly judgeGit: (changes: readonly WriteSetChange[]) => GitJudgement;
  /** Keeps a command's git from treating hidden files as deleted. `merged` is the tree the command sees. */
  readonly hideFromGit: (merged: string) => MarkedView | null;
  /** Whether the command can't read a path. */
  readonly isMasked: (path: string) => boolean;
  /** The only paths it can read; null for no such limit. */
  readonly view: ReadView | null;
  readonly rules: TransactionRules;
};

/**
 * Runs a command on an overlay of the workspace and, when its process tree is dead, commits what it wrote, all
 * or nothing. A command we stopped leaves nothing, and by default neither does one killed by a signal.
 *
 * @throws {SandboxError} when it could not be confined or committed; nothing was written
 */
export async function runTransaction(
  request: BoundedRequest,
  hooks: ExecutionHooks,
  options: TransactionOptions,
): Promise<Execution> {
  const { overlay, execution, marked } = await runOnOverlay(request, hooks, options);
  try {
    const written =
      overlay === null || !hasEndedItself(execution) ? [] : await changesOf(options, overlay, marked);
    if (overlay === null || written.length === 0) return { ...execution, changes: [] };
    // A linter that fixed part of its findings did its job, so its files are committed.
    const isAnswered = isAnswer(execution, request.answerCodes);
    const changes = isAnswered ? written : keptChanges(written, execution, options.rules);
    const rolledBack = changes.length < written.length ? ({ rolledBack: true } as const) : {};
    const done = { ...execution, ...rolledBack };
    if (changes.length === 0) return { ...done, changes: [] };
    const bytes = await bytesToWrite(changes);
    if (bytes > options.launcher.maxBytes)
      return overBytes(done, { used: bytes, allowed: options.launcher.maxBytes });
    const tooMuch = request.replacesAnySize === true ? null : await whyTooMuch(changes, options);
    if (tooMuch !== null) return { ...done, ...refusedFor(tooMuch, execution) };
    const outcome = await commit({
      commandId: request.commandId,
      workspace: options.launcher.workspace,
      commits: options.commits,
      writer: options.writer,
      changes,
      since: overlay.since,
      whyRefused: options.whyRefused,
      judgeGit: options.judgeGit,
      isMasked: options.isMasked,
      view: options.view,
      onConflict: options.rules.onConflict,
      mayCommit: hooks.mayCommit,
      signal: hooks.signal,
    });
    if (outcome.kind === 'committed') await pruneCopies(options.commits, options.rules.copiesKept);
    return { ...done, ...endingOf(outcome, execution) };
  } catch (cause) {
    if (cause instanceof RollbackFailedError) return { ...execution, ...partlyApplied(cause, execution) };
    throw cause;
  } finally {
    overlay?.close();
  }
}

/** Returns what a command would change, and commits nothing. */
export async function dryRun(
  request: BoundedRequest,
  hooks: ExecutionHooks,
  options: TransactionOptions,
): Promise<{ readonly execution: Execution; readonly changes: readonly WriteSetChange[] }> {
  const { overlay, execution, marked } = await runOnOverlay(request, hooks, options);
  try {
    return { execution, changes: overlay === null ? [] : await changesOf(options, overlay, marked) };
  } finally {
    overlay?.close();
  }
}

type Ran = {
  readonly execution: Execution;
  readonly overlay: Overlay | null;
  readonly marked: MarkedView | null;
};

async function runOnOverlay(
  request: BoundedRequest,
  hooks: ExecutionHooks,
  { run, launcher, clockFile, hideFromGit }: TransactionOptions,
): Promise<Ran> {
  const { disk, maxNames } = launcher;
  const held: { overlay: Overlay | null; marked: MarkedView | null; unwatch: () => void } = {
    overlay: null,
    marked: null,
    unwatch: () => undefined,
  };
  const inMemory = {
    // The command's files count towards its memory.
    writtenBytes: launcher.maxBytes,
    written: () => (held.overlay === null ? null : writtenTo(held.overlay.upper)),
  };
  try {
    const execution = await runCommand(request, hooks, {
      ...run,
      ...(disk === null ? inMemory : { writesToDisk: true }),
      onConfined(pid, exceed) {
        const layer = disk === null ? null : `${disk}/${pid}`;
        held.overlay = holdOverlay(pid, { mountPoint: launcher.mountPoint, clockFile, layer });
        held.marked = hideFromGit(held.overlay.merged);
        if (layer === null) return;
        const onExceeded = (): void => exceed('max_written_files');
        held.unwatch = watchNames(held.overlay.upper, { clock: run.clock, max: maxNames, onExceeded });
      },
    });
    held.unwatch();
    const isOver =
      disk !== null && held.overlay !== null && (await countNames(held.overlay.upper, maxNames)) > maxNames;
    const { overlay, marked } = held;
    return { execution: isOver ? overNames(execution, maxNames) : execution, overlay, marked };
  } catch (cause) {
    held.unwatch();
    held.overlay?.close();
    throw cause;
  }
}

function hasEndedItself({ ended }: Execution): boolean {
  return ended.kind === 'exited' || ended.kind === 'signalled';
}

/** The changes outside the scope of a rollback. Folders that contain such a change are kept. */
function keptChanges(
  written: readonly WriteSetChange[],
  { ended }: Execution,
  rules: TransactionRules,
): readonly WriteSetChange[] {
  const { rollBackOn = [], isInScope = () => true, keepOnSignal = false } = rules;
  if (isKilled(ended)) return keepOnSignal ? written : [];
  if (ended.kind !== 'exited' || !rollBackOn.includes(ended.exitCode)) return written;
  const kept = new Set(written.filter(({ path }) => !isInScope(path)).map(({ path }) => path));
  const holdsKept = (folder: string): boolean => [...kept].some((path) => path.startsWith(`${folder}/`));
  return written.filter(({ op, path }) => kept.has(path) || (op === 'make' && holdsKept(path)));
}

/**
 * Whether a signal killed it or the last program of its shell, so that its files may be incomplete. Other
 * signals, such as PIPE in a pipeline, also end programs that did their work.
 */
function isKilled(ended: Execution['ended']): boolean {
  return ended.kind === 'signalled' || (ended.kind === 'exited' && FATAL_CODES.has(ended.exitCode));
}

/** 128 and the number of ILL, ABRT, BUS, FPE, KILL and SEGV (signal(7)). */
const FATAL_CODES: ReadonlySet<number> = new Set([132, 134, 135, 136, 137, 139]);

/** Counts what it replaced or removed, since that is kept for undo. */
async function whyTooMuch(
  changes: readonly WriteSetChange[],
  { rules: { maxReplacedBytes = Infinity }, launcher: { workspace } }: TransactionOptions,
): Promise<string | null> {
  if (maxReplacedBytes === Infinity) return null;
  const replaced = changes.filter(({ op }) => op === 'put' || op === 'remove');
  const sizes = await flatMapInTurns(replaced, async ({ path }, turn) => [
    await bytesAt(join(workspace, path), turn),
  ]);
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  if (bytes <= maxReplacedBytes) return null;
  return `it replaced or removed ${bytes} bytes, and tools.shell.max_snapshot_bytes keeps ${maxReplacedBytes}`;
}

async function bytesAt(path: string, turn: Turn): Promise<number> {
  const existing = statAt(path);
  if (existing === null) return 0;
  if (existing.kind !== 'directory') return existing.bytes;
  let bytes = 0;
  for (const name of await readdir(path)) {
    bytes += await bytesAt(join(path, name), turn);
    await turn();
  }
  return bytes;
}

type Ending = Pick<Execution, 'changes'> & Partial<Execution>;

function refusedFor(why: string, { ended }: Execution): Ending {
  return {
    changes: [],
    ended: { kind: 'refused', code: 'snapshot_failed', exitCode: exitCodeOf(ended), why: [why] },
  };
}

function partlyApplied({ message, why }: RollbackFailedError, { ended }: Execution): Ending {
  return { ended: { kind: 'rollback_failed', exitCode: exitCodeOf(ended), why: [message, ...why] } };
}

function exitCodeOf(ended: Execution['ended']): number {
  return ended.kind === 'exited' ? ended.exitCode : -1;
}

async function changesOf(
  { launcher }: TransactionOptions,
  overlay: Overlay,
  marked: MarkedView | null,
): Promise<readonly WriteSetChange[]> {
  try {
    const withoutMarked = marked?.unmark();
    const changes = await readWriteSet(launcher.workspace, overlay);
    return withoutMarked?.(changes) ?? changes;
  } catch (cause) {
    const why = cause instanceof Error ? [cause.message] : [];
    throw new SandboxError('Cannot determine what the command changed; none of its changes were kept', {
      cause,
      why,
    });
  }
}

function endingOf(outcome: CommitOutcome, { ended }: Execution): Ending {
  const exitCode = exitCodeOf(ended);
  switch (outcome.kind) {
    case 'committed':
      return {
        changes: outcome.changes,
        ...(outcome.git.length > 0 ? { git: outcome.git } : {}),
        ...(outcome.merged.length > 0 ? { merged: outcome.merged } : {}),
      };
    case 'conflict':
    case 'refused':
      return { changes: [], ended: { ...outcome, exitCode } };
    case 'aborted':
      return { changes: [], ended: { kind: 'stopped' } };
  }
}
