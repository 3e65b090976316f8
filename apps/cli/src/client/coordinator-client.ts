import type { ApiClient, CommandView } from '@signalbox/api';
import type { PersonOutcome } from '@signalbox/coordinator';
import type { CommandId, CommandRecord, CommandResult } from '@signalbox/core';
import type { LocalAccess } from '../runtime/server/local-access.ts';
import { type ApprovalsClient, approvalsClient } from './approvals-client.ts';
import { clientAt } from './client-at.ts';

/** Which changes of a command to undo. */
export type UndoOptions = Readonly<{
  command: CommandId;
  /** As shown to the user. */
  paths: readonly string[];
  /** Overwrite later changes; these were shown to the user. */
  force: boolean;
  /** Undo only `paths`. Default: everything that the command changed. */
  part?: boolean;
  /** Of the one path, only this hunk. */
  hunk?: string;
}>;

/** A coordinator's API, plus operations of several requests. The socket or the access token identifies the user. */
export type CoordinatorClient = ApiClient &
  Readonly<{
    /** Waits for the undo to finish, unless that needs other people. */
    undo(request: UndoOptions): Promise<PersonOutcome>;
    /** Commits these files as they are now; waits like {@link undo}. */
    commit(request: Readonly<{ paths: readonly string[]; message: string }>): Promise<PersonOutcome>;
    /** Pending approvals that match; default all. */
    approvals(isWanted?: (record: CommandRecord) => boolean): ApprovalsClient;
  }>;

const WAIT_MS = 30_000;

export async function createCoordinatorClient(
  access: LocalAccess,
  channel?: 'terminal',
): Promise<CoordinatorClient> {
  const client = clientAt(access);
  const { name } = await client.getYou();

  async function resultOf(id: CommandId): Promise<CommandResult> {
    for (;;) {
      const { result } = await client.getCommand({ id, wait: WAIT_MS });
      if (result !== null) return result;
    }
  }

  async function outcomeOf({ id: commandId, state, result }: CommandView): Promise<PersonOutcome> {
    if (state === 'awaiting_approval' || state === 'queued')
      return { kind: 'waits', commandId, status: state };
    return { kind: 'ended', commandId, result: result ?? (await resultOf(commandId)) };
  }

  const approvals = approvalsClient(
    () => access,
    () => name,
    { channel },
  );
  return {
    ...client,
    undo: async ({ command, ...request }) => outcomeOf(await client.undoCommand({ id: command, ...request })),
    commit: async (request) => outcomeOf(await client.commitReview(request)),
    approvals: (isWanted = () => true) => ({
      ...approvals,
      pending: async () => (await approvals.pending()).filter(isWanted),
    }),
  };
}
