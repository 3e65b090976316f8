import type { Execution, ExecutionHooks, Isolation } from '@signalbox/core';
import type { BoundedRequest } from '../limits/bounded-limits.ts';
import type { Gate } from '../network/gate.ts';

/** A request with additions for one layer. */
export type LayerRequest = BoundedRequest & {
  /** More paths it must not read. */
  readonly isDenied?: (path: string) => boolean;
  /** Its network gate, if it requested hosts. */
  readonly gate?: Gate;
};

/** One way to confine commands. */
export type Layer = {
  readonly name: Isolation['layer'];
  /**
   * Runs a command and reports which measures held.
   *
   * @throws {SandboxError} with every reason and a fix, when it can't be used on this machine
   */
  readonly probe: () => Promise<Isolation>;
  /**
   * Runs a command to its end.
   *
   * @param isolation The result of its probe.
   * @throws {SandboxError} when the command could not be confined; nothing was run
   */
  readonly run: (request: LayerRequest, hooks: ExecutionHooks, isolation: Isolation) => Promise<Execution>;
};
