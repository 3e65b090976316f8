import type { ExecutionLimits } from './executor.ts';

/** A program that works for us beside the commands, such as a server of tools. */
export type ServiceRequest = {
  /** A program by name or absolute path, then its arguments; no shell reads them. */
  readonly argv: readonly [string, ...string[]];
  /** Folder inside the workspace, relative to it. */
  readonly cwd: string;
  /** Added to a clean environment. */
  readonly env: Readonly<Record<string, string>>;
  /** False only where a person said so: it has all rights of the person who started Signalbox then. */
  readonly confined: boolean;
  /** What it sees of the workspace when it is confined. */
  readonly workspace: 'none' | 'read' | 'write';
  /** Whether it may talk to other machines when it is confined. */
  readonly network: boolean;
  /** Of all its processes together, where it is confined. Its time is not bounded. */
  readonly limits: ServiceLimits;
};

export type ServiceLimits = Required<Pick<ExecutionLimits, 'memoryBytes' | 'processes'>>;

/** Paths that a call was let change, and a name for what is taken back of it. */
export type ServiceCall = { readonly id: string; readonly agreed: readonly string[] };

/** Called when a call is over: what was taken back of what the program left meanwhile, a line each. */
export type CallEnd = () => Promise<readonly string[]>;

/**
 * Of a program that writes to the workspace itself: what programs of the person would read as settings or run as code is
 * taken back after each call, unless that call was let change it. Between its calls a confined one is paused.
 */
export type ServiceWatch = {
  /** Ends what began with its start: its first call in a sense, for which nothing is agreed. */
  readonly endStart: CallEnd;
  /** Lets it go on. */
  readonly begin: (call: ServiceCall) => Promise<CallEnd>;
};

export type Service = {
  /** Null of one that can't write to the workspace, or has all rights of the person. */
  readonly watch: ServiceWatch | null;
  /** To its standard input. What is written to a dead one is lost. */
  readonly write: (text: string) => void;
  /** One listener for its standard output, one for its standard error; called from the next turn on. */
  readonly listen: (onOutput: (chunk: Uint8Array) => void, onError: (chunk: Uint8Array) => void) => void;
  /** How it ended, in words such as `exited with code 1`. Never rejects. */
  readonly ended: Promise<string>;
  /**
   * Closes its input, then TERM, then KILL; settles when it is dead, with what was taken back of what it left meanwhile.
   * May be called again.
   */
  readonly stop: () => Promise<readonly string[]>;
};

/** Where such programs live. They end with us. */
export interface Services {
  /**
   * Settles when the program has been started; whether it works shows in what it says.
   *
   * @throws {SandboxError} when it could not be confined as asked: nothing was started.
   */
  start(request: ServiceRequest): Promise<Service>;
}
