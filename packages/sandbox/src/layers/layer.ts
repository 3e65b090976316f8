import type { Execution, ExecutionHooks, ExecutionRequest, Isolation } from '@signalbox/core';

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
  readonly run: (
    request: ExecutionRequest,
    hooks: ExecutionHooks,
    isolation: Isolation,
  ) => Promise<Execution>;
};
