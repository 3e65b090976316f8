import type { CommandId, Member, Members } from '@signalbox/core';

/** What a coordinator needs besides, where a workspace has several. */
export type SharedWorkspace = {
  readonly members: Members;
  /** Whether the process of that member has ended, as far as this machine can tell; false where it can't. */
  readonly hasEnded: (member: Member) => Promise<boolean>;
  /**
   * Whether this machine, on which its coordinator's process has ended, can tell that nothing lives any more of a command,
   * here or at workers; false as long as it can't.
   */
  readonly isOver: (command: CommandId, coordinator: Member) => Promise<boolean>;
  /** Where that member wrote its part of the audit, as this machine sees it. */
  readonly auditFileOf: (member: Member['id']) => string;
  /** Takes back what dead processes left of their files' changes, before anybody else gets what they held. */
  readonly takeBackFiles: () => Promise<void>;
};
