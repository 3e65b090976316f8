import type { CancelAnswer, Haste, RevokeAnswer } from '@signalbox/coordinator';
import type { CommandId, CommandRecord, LeaseId } from '@signalbox/core';
import type { Remote } from '../remote.ts';
import type { AskerDesk } from '../run/approval-asker.ts';

/** A coordinator of another process: what a person tells it, and the questions that it asks. */
export type Told = Pick<Remote, 'undo' | 'setMode'> &
  Readonly<{
    cancel(id: CommandId, by: string, reason: string, haste?: Haste): Promise<Pick<CancelAnswer, 'kind'>>;
    /** Cancels the command that holds it. */
    revoke(id: LeaseId, by: string, reason: string): Promise<Pick<RevokeAnswer, 'kind'>>;
    /** Of the questions, those that are wanted. */
    desk(isWanted: (record: CommandRecord) => boolean): AskerDesk;
  }>;
