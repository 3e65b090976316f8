import type { Coordinator } from '@signalbox/coordinator';
import type { CommandId, ProviderId } from '@signalbox/core';
import { RequestRefusedError } from '../problem.ts';

export function unknownCommand(id: string): RequestRefusedError {
  return new RequestRefusedError(404, 'unknown-command', `Cannot find command ${id}`);
}

/**
 * What to say of a command that is not kept: 410 where the audit log still has it.
 *
 * @param own whose commands alone the visitor may see; null: all
 */
export async function notKept(
  coordinator: Pick<Coordinator, 'forgotten'>,
  id: CommandId,
  own: ProviderId | null,
): Promise<RequestRefusedError> {
  const found = (await coordinator.forgotten(id.slice('cmd_'.length))).find((one) => one.id === id);
  if (found === undefined || (own !== null && found.provider !== own)) return unknownCommand(id);
  return new RequestRefusedError(410, 'forgotten-command', `Cannot show ${id}: the history has dropped it`, {
    why: found.why,
  });
}
