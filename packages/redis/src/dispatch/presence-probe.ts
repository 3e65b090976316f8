import type { CommandId, NodeRecord } from '@signalbox/core';

/** What this process can see of other processes' commands on its machine. */
export type PresenceProbe = {
  /** Whether all of that member's commands run where this process can see them. */
  sees(member: NodeRecord): Promise<boolean>;
  /** Whether no process of that command is left, checked twice with some time between. */
  isGone(command: CommandId): boolean;
};

/** Interval between checks while waiting for a command to be gone. */
export const POLL_AGAIN_MS = 1000;
