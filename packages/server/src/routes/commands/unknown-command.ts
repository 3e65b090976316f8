import type { Coordinator } from '@signalbox/coordinator';
import type { CommandId, CommandStore, ProviderId } from '@signalbox/core';
import { RequestRefusedError } from '../../problem.ts';

export function unknownCommand(id: string): RequestRefusedError {
  return new RequestRefusedError(404, 'unknown-command', `Cannot find command ${id}`);
}

/** Its record is damaged, or written by another version. */
export function unreadableCommand(id: string): RequestRefusedError {
  return new RequestRefusedError(
    404,
    'unknown-command',
    `Cannot show ${id}: its stored record cannot be read`,
    {
      why: [
        'the file is damaged or was written by another version of Signalbox; the audit log still has its line',
      ],
    },
  );
}

/**
 * The error for a command that is not kept: 410 where the audit log still has it.
 *
 * @param own the only provider whose commands the visitor may see; null: all
 */
export async function notKept(
  {
    coordinator,
    store,
  }: { readonly coordinator: Pick<Coordinator, 'forgotten'>; readonly store: Pick<CommandStore, 'find'> },
  id: CommandId,
  { own }: Readonly<{ own: ProviderId | null }>,
): Promise<RequestRefusedError> {
  const isKept = own === null && (await store.find(id.slice('cmd_'.length))).includes(id);
  if (isKept) return unreadableCommand(id);
  const found = (await coordinator.forgotten(id.slice('cmd_'.length))).find((one) => one.id === id);
  if (found === undefined || (own !== null && found.provider !== own)) return unknownCommand(id);
  return new RequestRefusedError(410, 'forgotten-command', `Cannot show ${id}: the history has dropped it`, {
    why: found.why,
  });
}
