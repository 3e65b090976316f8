import type {
  CallContextInput,
  ClientEnvironment,
  Event,
  ProviderId,
  RunId,
  SessionId,
} from '@signalbox/core';
import type { SessionBudget } from '../budget.ts';
import type { UntilLine } from './run-until.ts';
import type { SessionMessage, SessionHandle, SessionSummary, TurnQuestion } from '../session-options.ts';
import type { SaveStep } from '../session-writer.ts';
import type { SessionStep } from '../session-step.ts';

/** A provider and its task. */
export type Assignment = Readonly<{ provider: ProviderId; task: string }>;

/** The parameters of a run. */
export type RunRequest = Readonly<{
  assignments: readonly Assignment[];
  /**
   * Line that decides whether the work is done, after every session has ended. Absent: the workspace's tests; null: no
   * check.
   */
  until?: UntilLine | null | undefined;
  /** How often that line runs at most: after a failure the sessions continue. Default {@link DEFAULT_ROUNDS}. */
  rounds?: number | undefined;
  /** Turns of each session. Default: from the settings. */
  turns?: number | undefined;
  /** In US dollars, for all sessions together. Default: from the settings. */
  budgetUsd?: number | undefined;
  /** Priority of their calls; 0 is served first. Default: from the settings. */
  priority?: number | undefined;
  /** API keys by environment variable name: only for these sessions, and only in memory. */
  keys?: Readonly<Record<string, string>> | undefined;
  /** Environment for shell lines of its sessions and for `until`. Default: the coordinator's own. */
  clientEnv?: ClientEnvironment | undefined;
  /**
   * Whether people may answer at any time: an approval not answered in time pauses its session, and a session out of
   * turns, or whose call failed critically, asks. Default true.
   */
  attended?: boolean | undefined;
  /** The person who started it. */
  by: string;
}>;

/** One session of a run, before its first turn. */
export type SessionStart = Assignment &
  Readonly<{
    sessionId: SessionId;
    runId: RunId;
    turns: number | undefined;
    budget: SessionBudget;
    keys: Readonly<Record<string, string>>;
    signal: AbortSignal;
    /** Whether another process continues it: then it reports nothing more. Absent: never. */
    isLeft?: () => boolean;
    /** Absent: it ends with its process. */
    save?: SaveStep;
    /** Its last step in a process that left it. Absent: it begins. */
    left?: SessionStep;
    context: Partial<CallContextInput>;
    /** Absent: a session ends with its turns, and with a critical failure. */
    moreTurns?: (asked: TurnQuestion) => Promise<number>;
    /** Absent: a session ends with its answer. */
    rest?: (signal: AbortSignal) => Promise<string | null>;
  }>;

/**
 * Checks what a session needs; call the result to begin it. @throws {UnavailableError | UsageError} why it can't begin
 */
export type PrepareSession = (start: SessionStart) => () => SessionHandle;

/** A run that has begun. */
export type StartedRun = Readonly<{
  runId: RunId;
  sessions: readonly SessionId[];
  /** `run_started`, as stored in the log; null only if the log did not return it. */
  firstEvent: Event | null;
  /** Never rejects. */
  ended: Promise<readonly SessionSummary[]>;
}>;

/** The runs led by this process: sessions that were started together, and their `until` line. */
export type RunService = Readonly<{
  /**
   * Starts all of its sessions or none.
   *
   * @throws {UnavailableError} `stopping`, `missing-api-key`, and when the event log can't be written. @throws
   * {UsageError} `unknown-provider`, `unknown-key`
   */
  start(request: RunRequest): Promise<StartedRun>;
  /** Continues, in the background, the runs that earlier processes left. Call it once, when sessions can begin. */
  takeUp(): Promise<void>;
  /**
   * Gives keys to the sessions of a run that wait for them. Returns why others still wait; null if the run is not led
   * here.
   *
   * @throws {UsageError} `unknown-key`
   */
  resume(id: RunId, keys: Readonly<Record<string, string>>): readonly string[] | null;
  /** `graceful`: no new calls, and 10 s for running ones; `force`: every process is killed now. False if it is over. */
  stop(id: RunId, by: string, options: Readonly<{ mode: StopMode }>): boolean;
  /** Cancels its running commands at once. False if no such session is led here. */
  stopSession(id: SessionId, by: string): Promise<boolean>;
  /** Adds a message of a person before its next turn. False if no such session is led here, or it ends. */
  sayToSession(id: SessionId, message: SessionMessage): Promise<boolean>;
  /** Compresses its conversation before its next turn. False if no such session is led here, or it ends. */
  compressSession(id: SessionId, by: string): Promise<boolean>;
  /** False if that session does not wait for more turns. */
  grantTurns(id: SessionId, options: Readonly<{ turns: number; by: string }>): Promise<boolean>;
  isLed(id: RunId | SessionId): boolean;
  /** Number of runs that are not over, without those that only wait for a key. */
  count(): number;
  /** Rejects new runs; resolves when the last one is over. One that only waits for a key is left to the next start. */
  drain(): Promise<void>;
  /** Ends every run and cancels its commands that wait; then `stopCommands` stops those that run. */
  close(stopCommands: () => Promise<void>): Promise<void>;
  /** Leaves every run as it is stored: the next coordinator continues it. */
  leave(stopCommands: () => Promise<void>): Promise<void>;
}>;

export type StopMode = 'graceful' | 'force';
