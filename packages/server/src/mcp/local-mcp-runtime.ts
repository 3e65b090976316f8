import {
  type Clock,
  type CommandId,
  type CommandStore,
  createId,
  type EventLog,
  type Logger,
  type RandomBytes,
} from '@signalbox/core';
import type { Coordinator } from '@signalbox/coordinator';
import { unknownCommand } from '../routes/commands/unknown-command.ts';
import type { RuntimeServices } from '../server-options.ts';
import { resultWithin } from '../result-within.ts';
import type { CommandView } from '@signalbox/api';
import type { CommandViews } from '../views/command-view.ts';
import type { McpCaller, McpRuntime, McpOffer } from './mcp-runtime.ts';
import { offersOf } from './offers-of.ts';
import { declaredBy } from './declared-by.ts';
import { offersUnlike } from './offers-unlike.ts';
import { holderAmong } from './waiting-for.ts';

/** The coordinator of this process as an MCP runtime. */
export function createLocalMcpRuntime(parts: {
  readonly coordinator: Coordinator;
  readonly store: CommandStore;
  readonly events: EventLog;
  readonly views: CommandViews;
  readonly services: Pick<RuntimeServices, 'contextOf' | 'onToolsChanged'>;
  readonly clock: Clock;
  readonly random: RandomBytes;
  readonly logger: Logger;
}): McpRuntime {
  const { coordinator, store, views, services, clock, random } = parts;

  async function readView(id: CommandId): Promise<CommandView> {
    const record = await coordinator.status(id);
    if (record === null) throw unknownCommand(id);
    return views.of(record);
  }

  async function offers(session: McpCaller): Promise<readonly McpOffer[]> {
    const { offered } = await coordinator.offers.of({
      session,
      declared: declaredBy(session.provider, services),
      caller: 'agent',
      task: '',
    });
    return offersOf(offered.map(({ tool }) => tool));
  }

  return {
    offers,
    offersUnlike: (stamp, caller, { ms, signal }) =>
      offersUnlike({ ...parts, sessionId: caller.sessionId, offers: () => offers(caller) }, stamp, {
        ms,
        signal,
      }),
    async send({ tool, args }, caller) {
      const context = { ...services.contextOf(caller.provider), ...caller };
      const submitted = coordinator.submit({ callId: createId('turn', random), tool, args }, context);
      await submitted.resting;
      return readView(submitted.commandId);
    },
    async wait(id, ms, signal) {
      await resultWithin(parts, id, { ms, signal });
      return readView(id);
    },
    async holderFor(view) {
      if (view.state !== 'queued') return null;
      return holderAmong(await store.unfinished({ states: ['running'] }), clock.now(), view);
    },
    async cancel(id, caller, { reason }) {
      await coordinator.cancel(id, { by: caller.provider, reason });
    },
  };
}
