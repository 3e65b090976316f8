import type { ExecutionLimits } from './executor.ts';

/** A program that works for us beside the commands, such as a server of tools. */
export type ServiceRequest = {
  /** A program by name or absolute path, then its arguments; no shell reads them. */
  readonly argv: readonly [string, ...string[]];
  /** Folder inside the workspace, relative to it. */
  readonly cwd: string;
  /** Added to a clean environment. */
  readonly env: Readonly<Record<string, string>>;
  /** False only when a person said so: it then has all rights of the user who started Signalbox. */
  readonly confined: boolean;
  /** Its access to the workspace when it is confined. */
  readonly workspace: 'none' | 'read' | 'write';
  /** Whether it may talk to other machines when it is confined. */
  readonly network: boolean;
  /** For all its processes together, when it is confined. Its time is not bounded. */
  readonly limits: ServiceLimits;
};

export type ServiceLimits = Required<Pick<ExecutionLimits, 'memoryBytes' | 'processes'>>;

/** Paths that a call may change, and a name for what is rolled back of it. */
export type ServiceCall = { readonly id: string; readonly agreed: readonly string[] };

/** Called at the end of a call; returns what was rolled back of the program's changes meanwhile, a line each. */
export type CallEnd = () => Promise<readonly string[]>;

/**
 * For a program that writes to the workspace itself: changes to files that the user's programs read as settings or run
 * as code are rolled back after each call, unless that call may change them. A confined program is paused between its
 * calls.
 */
export type ServiceWatch = {
  /** Ends the start, which counts as a first call without any approved change. */
  readonly endStart: CallEnd;
  /** Resumes it for a call. */
  readonly begin: (call: ServiceCall) => Promise<CallEnd>;
};

export type Service = {
  /** Null for one that can't write to the workspace, or has all rights of the user. */
  readonly watch: ServiceWatch | null;
  /** To its standard input. Writes to a dead program are lost. */
  readonly write: (text: string) => void;
  /** One listener for its standard output, one for its standard error; called from the next turn on. */
  readonly listen: (onOutput: (chunk: Uint8Array) => void, onError: (chunk: Uint8Array) => void) => void;
  /** How it ended, in words such as `exited with code 1`. Never rejects. */
  readonly ended: Promise<string>;
  /**
   * Closes its input, then TERM, then KILL; settles when it is dead, with what was rolled back of its changes
   * meanwhile. May be called again.
   */
  readonly stop: () => Promise<readonly string[]>;
};

/** Runs such programs. They end with us. */
export interface Services {
  /**
   * Settles when the program has been started; whether it works shows in its output.
   *
   * @throws {SandboxError} when it could not be confined as asked: nothing was started.
   */
  start(request: ServiceRequest): Promise<Service>;
}
