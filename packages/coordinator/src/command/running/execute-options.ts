import type {
  Clock,
  CommandRecord,
  ExecutionLimits,
  Executor,
  Files,
  Inspector,
  FileTouch,
  LoggedInTool,
  Logger,
  NetworkAccess,
  NetworkUse,
  Outputs,
  RandomBytes,
  ReadHashes,
  Scheduler,
  Tool,
  ToolContext,
  WorkspaceLines,
} from '@signalbox/core';
import type { JudgedWrites } from '../../execution/judge-writes.ts';
import type { LiveOutput } from '../../execution/live-output.ts';
import type { RetryBudget } from '../../retry/retry-budgets.ts';
import type { RetryPolicy } from '../../retry/retry-delay.ts';
import type { LimitSettings } from '../../judging/limits-for.ts';
import type { Hold } from './hold.ts';
import type { ReusableRun } from '../../reuse/run-reuse.ts';
import type { RerunOptions } from './rerun.ts';

/** What a call runs with: the command and its lease, the ports its tool works on, and the workspace's settings. */
export type ExecuteOptions = {
  readonly record: CommandRecord;
  readonly tool: Tool;
  readonly hold: Hold;
  readonly files: Files;
  readonly inspector: Inspector;
  readonly executor: Executor;
  readonly scheduler: Scheduler;
  readonly readHashes: ReadHashes;
  readonly staleWrite: 'refuse' | 'merge';
  readonly outputs: Outputs;
  readonly findTools: ToolContext['findTools'];
  readonly lines: WorkspaceLines;
  readonly limits: ExecutionLimits;
  /** The setting behind each of them. */
  readonly limitSettings: LimitSettings;
  /** From the workspace's settings; a call's own variables are added after them. */
  readonly env: Readonly<Record<string, string>>;
  readonly network: NetworkAccess;
  readonly readableHome: readonly string[];
  readonly login: LoggedInTool | null;
  /** Paths that its programs and the file tools must not read, in addition to the built-in ones; null: none. */
  readonly isDenied: ((path: string) => boolean) | null;
  /** The patterns behind `isDenied`. */
  readonly deniedPatterns: readonly string[];
  /** Labels a worker needs to run its programs. */
  readonly labels: readonly string[];
  readonly onConnection: (use: NetworkUse) => void;
  /** The policy's judgement on a transaction's changes. */
  readonly judgeWrites: (changes: readonly FileTouch[]) => Promise<JudgedWrites>;
  /** Whether `tools.shell.max_snapshot_bytes` does not apply to it. */
  readonly replacesAnySize?: boolean;
  /** For a transaction that ended in a conflict. */
  readonly reruns: Pick<RerunOptions, 'maxReruns' | 'isStillAllowed' | 'learn'>;
  /** Runs its shell line, or takes the result of an equal run. Default: runs it. */
  readonly runOnce?: ReusableRun | undefined;
  readonly retry: {
    readonly policy: RetryPolicy;
    /** Shared with the other calls and the turns of its task. */
    readonly budget: RetryBudget;
    readonly random: RandomBytes;
  };
  readonly output: LiveOutput;
  readonly clock: Clock;
  readonly logger: Logger;
};
