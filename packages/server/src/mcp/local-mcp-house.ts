import { type Clock, type CommandId, createId, type EventLog, type RandomBytes } from '@signalbox/core';
import type { Coordinator } from '@signalbox/coordinator';
import { unknownCommand } from '../routes/unknown-command.ts';
import type { HouseServices } from '../server-options.ts';
import { resultWithin } from '../result-within.ts';
import type { CommandView, CommandViews } from '../views/command-view.ts';
import type { McpCaller, McpHouse } from './mcp-house.ts';
import { offersOf } from './offers-of.ts';
import { offersUnlike } from './offers-unlike.ts';

/** The coordinator of this process, as agents reach it. */
export function createLocalMcpHouse(parts: {
  readonly coordinator: Coordinator;
  readonly events: EventLog;
  readonly views: CommandViews;
  readonly services: Pick<HouseServices, 'contextOf' | 'onToolsChanged'>;
  readonly clock: Clock;
  readonly random: RandomBytes;
}): McpHouse {
  const { coordinator, views, services, random } = parts;

  async function own(id: CommandId, { provider }: McpCaller): Promise<CommandView> {
    const record = await coordinator.status(id);
    if (record === null || record.context.provider !== provider) throw unknownCommand(id);
    return views.of(record);
  }

  return {
    offers: async () => offersOf(coordinator.tools.list()),
    offersUnlike: (stamp, ms, signal) => offersUnlike(parts, stamp, ms, signal),
    async send({ tool, args }, caller) {
      const context = { ...services.contextOf(caller.provider), ...caller };
      const submitted = coordinator.submit({ callId: createId('turn', random), tool, args }, context);
      await submitted.resting;
      return own(submitted.commandId, caller);
    },
    async wait(id, caller, ms, signal) {
      await own(id, caller);
      await resultWithin(parts, id, ms, signal);
      return own(id, caller);
    },
    async cancel(id, caller, reason) {
      await own(id, caller);
      await coordinator.cancel(id, caller.provider, reason);
    },
  };
}
