import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Clock, Executor, Files, Inspector, Settings } from '@signalbox/core';
import { createPathMatcher, type Policy } from '@signalbox/policy';
import {
  commitsOf,
  type CommitWriter,
  type CopyRetention,
  createExecutor,
  createFiles,
  createInspector,
  type ExecutorOptions,
  type IsDenied,
  type RunningCalls,
} from '@signalbox/sandbox';
import type { OwnEnvironment } from './own-environment.ts';
import { createNamedFiles } from './workspace/project-facts.ts';

/** Runs programs on this machine, confined as the workspace's settings require. */
export function createLocalExecutor(options: {
  readonly workspace: string;
  /** The workspace's `.signalbox`. */
  readonly folder: string;
  readonly settings: Settings;
  readonly own: OwnEnvironment;
  readonly unconfined: boolean;
  readonly policy: Pick<Policy, 'isDenied' | 'readView'>;
  readonly writer: CommitWriter;
  readonly clock: Clock;
  readonly onTrial?: () => void;
  /** Shared with servers of tools that write to the workspace. */
  readonly runningCalls?: RunningCalls;
}): Required<Executor> {
  const { workspace, folder, settings, own, unconfined, policy, writer, clock, onTrial, runningCalls } =
    options;
  const home = homedir();
  return createExecutor({
    workspace,
    stateFolder: folder,
    ...own,
    home,
    confinement: unconfined ? 'where-possible' : 'required',
    clock,
    writer,
    isDenied: policy.isDenied,
    readView: () => policy.readView,
    namedFiles: createNamedFiles(workspace),
    ...(onTrial === undefined ? {} : { onTrial }),
    ...(runningCalls === undefined ? {} : { runningCalls }),
    ...containerOf(settings),
    ...transactionsOf(
      settings,
      createPathMatcher(settings.tools.shell.transaction_scope, { workspace, home }),
    ),
  });
}

/** The workspace's files, as file tools access them. */
export function createLocalFiles(options: {
  readonly workspace: string;
  readonly folder: string;
  readonly settings: Settings;
  readonly policy: Pick<Policy, 'isDenied' | 'readView'>;
  readonly writer: CommitWriter;
}): Files {
  const { workspace, folder, settings, policy, writer } = options;
  const { isDenied } = policy;
  const readView = () => policy.readView;
  const copiesKept = copiesKeptOf(settings);
  return createFiles({ workspace, isDenied, readView, commits: commitsOf(folder), writer, copiesKept });
}

/** A container engine named by the operator, for machines where bubblewrap does not work. */
function containerOf({ sandbox: { container } }: Settings): Pick<ExecutorOptions, 'container'> {
  return container === null ? {} : { container };
}

/** H5: writes of a shell line are committed after it ends, all or nothing. */
function transactionsOf(
  settings: Settings,
  isInScope: (path: string) => boolean,
): Pick<ExecutorOptions, 'transactions' | 'transactionRules'> {
  const { shell } = settings.tools;
  if (!shell.transactional) return { transactions: 'off' };
  return {
    transactions: shell.snapshot_required ? 'required' : 'where-possible',
    transactionRules: {
      rollBackOn: shell.auto_rollback ? shell.auto_rollback_exit_codes : [],
      keepOnSignal: shell.keep_on_signal,
      isInScope,
      copiesKept: copiesKeptOf(settings),
      maxReplacedBytes: shell.max_snapshot_bytes === 0 ? Infinity : shell.max_snapshot_bytes,
      onConflict: shell.on_conflict === 'merge' ? 'merge' : 'conflict',
    },
  };
}

/** Previews calls, in scratch folders next to the state. */
export function openInspector(options: {
  readonly workspace: string;
  /** Signalbox's own state. */
  readonly folder: string;
  readonly path: string | undefined;
  readonly isDenied: IsDenied;
}): Inspector {
  const { folder, path = '/usr/bin:/bin', ...rest } = options;
  return createInspector({ ...rest, path, scratch: join(folder, 'previews') });
}

/** Replaced files kept for `undo`: at least 512 MiB, whatever a file from the repository sets. */
function copiesKeptOf({ execution }: Settings): CopyRetention {
  return {
    maxAgeMs: execution.history_max_age,
    maxBytes: Math.max(512, execution.history_max_mb) * 1024 ** 2,
  };
}
