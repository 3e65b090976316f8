import type { CommandId, Member } from '@signalbox/core';

/** What a process can tell of the commands of others on its machine. */
export type PresenceProbe = {
  /** Whether all that member's commands run where this process would see them. */
  sees(member: Member): Promise<boolean>;
  /** Whether no process of that command lives here: twice, in looks that are some time apart. */
  isGone(command: CommandId): boolean;
};

/** How often somebody looks again who waits for a command to be gone. */
export const POLL_AGAIN_MS = 1000;
