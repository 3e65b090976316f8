import {
  cancelCommand,
  CommandView,
  getYou,
  ModeState,
  prioritizeCommand,
  revokeLease,
} from '@signalbox/api';
import type { CancelAnswer, Haste, Prioritized, RevokeAnswer, UndoOutcome } from '@signalbox/coordinator';
import {
  type CommandId,
  type CommandRecord,
  type CommandResult,
  type LeaseId,
  type Mode,
  UsageError,
} from '@signalbox/core';
import * as z from 'zod';
import type { AskerDesk } from '../run/approval-asker.ts';
import { askServer } from '../serve/ask-server.ts';
import type { LocalAccess } from '../serve/local-access.ts';
import { approvalsClient } from './approvals-client.ts';

/** Which changes of a command to take back. */
export type UndoRequest = Readonly<{
  command: CommandId;
  /** What the person was shown. */
  paths: readonly string[];
  /** Overwrite later changes; the person was shown that. */
  force: boolean;
  /** Take back only `paths`. Default: everything that the command changed. */
  part?: boolean;
  /** Of the one path, only this hunk. */
  hunk?: string;
}>;

/** What a person tells the coordinator. It knows who they are by the socket, or by their access token. */
export type CoordinatorClient = Readonly<{
  cancel(id: CommandId, reason: string, haste?: Haste): Promise<Pick<CancelAnswer, 'kind'>>;
  /** 0 is served first. */
  prioritize(id: CommandId, priority: number): Promise<{ readonly kind: Prioritized }>;
  /** Cancels the command that holds it. */
  revoke(id: LeaseId, reason: string): Promise<Pick<RevokeAnswer, 'kind'>>;
  /** Waits for the end of the undo, unless it waits for others. */
  undo(request: UndoRequest): Promise<UndoOutcome>;
  setMode(mode: Mode, reason: string, forMs?: number): Promise<ModeState>;
  /** Takes a rule from the session that has it; false when none has. */
  removeSessionRule(id: string): Promise<boolean>;
  /** Pending approvals: those that are wanted, default all. */
  approvals(isWanted?: (record: CommandRecord) => boolean): AskerDesk;
}>;

const WAIT_MS = 30_000;

export async function createCoordinatorClient(
  access: LocalAccess,
  channel?: 'terminal',
): Promise<CoordinatorClient> {
  const { name } = await askServer(access, { method: 'GET', path: '/api/you' }, getYou.schema.response[200]);
  const post = <Answer>(path: string, body: unknown, answer: z.ZodType<Answer>): Promise<Answer> =>
    askServer(access, { method: 'POST', path, body }, answer);

  async function resultOf(id: CommandId): Promise<CommandResult> {
    for (;;) {
      const path = `/api/commands/${id}?wait=${WAIT_MS}`;
      const { result } = await askServer(access, { method: 'GET', path }, CommandView);
      if (result !== null) return result;
    }
  }

  const approvals = approvalsClient(
    () => access,
    () => name,
    channel,
  );
  return {
    cancel: (id, reason, haste) =>
      post(`/api/commands/${id}/cancel`, { reason, haste }, cancelCommand.schema.response[200]),
    prioritize: (id, priority) =>
      post(`/api/commands/${id}/priority`, { priority }, prioritizeCommand.schema.response[200]),
    revoke: (id, reason) =>
      post(`/api/leases/${id}/revoke`, { reason }, revokeLease.schema.response[200]).catch(
        (error: unknown) => ({
          kind: whyNotRevoked(error),
        }),
      ),
    async undo({ command, ...request }) {
      const begun = await post(`/api/commands/${command}/undo`, request, CommandView);
      const { id: commandId, state } = begun;
      if (state === 'awaiting_approval' || state === 'queued')
        return { kind: 'waits', commandId, status: state };
      return { kind: 'ended', commandId, result: begun.result ?? (await resultOf(commandId)) };
    },
    setMode: (mode, reason, forMs) =>
      askServer(access, { method: 'PUT', path: '/api/mode', body: { mode, reason, forMs } }, ModeState),
    async removeSessionRule(id) {
      const path = `/api/policy/rules/session/${encodeURIComponent(id)}`;
      try {
        await askServer(access, { method: 'DELETE', path }, z.unknown());
        return true;
      } catch (error) {
        if (error instanceof UsageError && error.code === 'unknown-rule') return false;
        throw error;
      }
    },
    approvals: (isWanted = () => true) => ({
      ...approvals,
      pending: async () => (await approvals.pending()).filter(isWanted),
    }),
  };
}

/** It was given back since it was seen. @throws what else the coordinator says against it. */
function whyNotRevoked(error: unknown): RevokeAnswer['kind'] {
  if (error instanceof UsageError && error.code === 'unknown-lease') return 'unknown';
  if (error instanceof UsageError && error.code === 'already-done') return 'already-done';
  throw error;
}
