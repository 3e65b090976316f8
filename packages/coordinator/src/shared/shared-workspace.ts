import type { CommandId, NodeRecord, Nodes } from '@signalbox/core';

/** Additional ports of a coordinator if the workspace has several. */
export type SharedWorkspace = {
  readonly members: Nodes;
  /** Whether the process of that member has ended, as far as this machine can tell; false if it can't. */
  readonly hasEnded: (member: NodeRecord) => Promise<boolean>;
  /**
   * Whether this machine, on which the coordinator's process has ended, can tell that nothing is left of a command,
   * here or on workers; false as long as it can't.
   */
  readonly isOver: (command: CommandId, coordinator: NodeRecord) => Promise<boolean>;
  /** Path of that member's audit log, as seen from this machine. */
  readonly auditFileOf: (member: NodeRecord['id']) => string;
  /** Rolls back file changes left by dead processes, before their claims go to others. */
  readonly takeBackFiles: () => Promise<void>;
};
