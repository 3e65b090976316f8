import { cancelCommand, CommandView, ModeState, revokeLease } from '@signalbox/api';
import type { RevokeAnswer } from '@signalbox/coordinator';
import { type CommandId, type CommandResult, UsageError } from '@signalbox/core';
import type * as z from 'zod';
import { askServer } from '../serve/ask-server.ts';
import type { LocalAccess } from '../serve/local-access.ts';
import type { Told } from '../frame/told.ts';

const WAIT_MS = 30_000;

/** What a person tells the coordinator of a server elsewhere; by whom is said by the access token alone. */
export function remoteOfServer(access: LocalAccess): Omit<Told, 'desk'> {
  const post = <Answer>(path: string, body: unknown, answer: z.ZodType<Answer>): Promise<Answer> =>
    askServer(access, { method: 'POST', path, body }, answer);

  async function resultOf(id: CommandId): Promise<CommandResult> {
    for (;;) {
      const path = `/api/commands/${id}?wait=${WAIT_MS}`;
      const { result } = await askServer(access, { method: 'GET', path }, CommandView);
      if (result !== null) return result;
    }
  }

  return {
    cancel: (id, _by, reason, haste) =>
      post(`/api/commands/${id}/cancel`, { reason, haste }, cancelCommand.schema.response[200]),
    revoke: (id, _by, reason) =>
      post(`/api/leases/${id}/revoke`, { reason }, revokeLease.schema.response[200]).catch(
        (error: unknown) => ({
          kind: whyNotRevoked(error),
        }),
      ),
    async undo({ command, paths, force, part = false, hunk }) {
      const body = { paths, force, part, ...(hunk === undefined ? {} : { hunk }) };
      const begun = await post(`/api/commands/${command}/undo`, body, CommandView);
      const { id: commandId, state } = begun;
      if (state === 'awaiting_approval' || state === 'queued')
        return { kind: 'waits', commandId, status: state };
      return { kind: 'ended', commandId, result: begun.result ?? (await resultOf(commandId)) };
    },
    setMode: (mode, _by, reason, forMs) =>
      askServer(access, { method: 'PUT', path: '/api/mode', body: { mode, reason, forMs } }, ModeState),
  };
}

/** It was given back since it was seen. @throws what else the server says against it. */
function whyNotRevoked(error: unknown): RevokeAnswer['kind'] {
  if (error instanceof UsageError && error.code === 'unknown-lease') return 'unknown';
  if (error instanceof UsageError && error.code === 'already-done') return 'already-done';
  throw error;
}
