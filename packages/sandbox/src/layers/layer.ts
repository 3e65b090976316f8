import type { Execution, ExecutionHooks, Isolation } from '@signalbox/core';
import type { BoundedRequest } from '../limits/bounded-limits.ts';
import type { Gate } from '../network/gate.ts';

/** A request with what comes with it for one layer. */
export type LayerRequest = BoundedRequest & {
  /** More that it must not read. */
  readonly isDenied?: (path: string) => boolean;
  /** The gate of its network, where it asked for hosts. */
  readonly gate?: Gate;
};

/** One way to confine commands. */
export type Layer = {
  readonly name: Isolation['layer'];
  /**
   * Really runs a command, and says what held.
   *
   * @throws {SandboxError} when it can't be used on this machine: with every reason, and what to do.
   */
  readonly probe: () => Promise<Isolation>;
  /**
   * Runs a command to its end.
   *
   * @param isolation What its probe has said.
   * @throws {SandboxError} when the command could not be confined: nothing was run.
   */
  readonly run: (request: LayerRequest, hooks: ExecutionHooks, isolation: Isolation) => Promise<Execution>;
};
