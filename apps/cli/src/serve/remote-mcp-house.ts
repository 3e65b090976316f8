import type { CommandId } from '@signalbox/core';
import type { McpCaller, McpHouse, McpOffer } from '@signalbox/server/mcp';
import * as z from 'zod';
import { askServer } from './ask-server.ts';
import type { JoinedServer } from './join-server.ts';

type View = Awaited<ReturnType<McpHouse['send']>>;

/** The server is of the same program: its answers are what its schemas say. */
const CommandAnswer = z.custom<View>((value) => typeof value === 'object' && value !== null && 'id' in value);
const Offers = z.object({ tools: z.array(z.custom<McpOffer>()) });

/** The server of a workspace, as the agent of this process reaches it, also when it is another one by now. */
export function createRemoteMcpHouse({ access, look }: Pick<JoinedServer, 'access' | 'look'>): McpHouse {
  async function get(id: CommandId, ms: number, signal: AbortSignal): Promise<View> {
    const path = `/api/commands/${id}?wait=${Math.round(ms)}`;
    return askServer(await access(), { method: 'GET', path, signal }, CommandAnswer);
  }

  return {
    async offers() {
      return (await askServer(await access(), { method: 'GET', path: '/api/tools' }, Offers)).tools;
    },
    async offersUnlike(stamp, ms, signal) {
      const path = `/api/tools?unlike=${stamp}&wait=${ms}`;
      return (await askServer(look(), { method: 'GET', path, signal }, Offers)).tools;
    },
    async send({ tool, args }, { provider, sessionId }) {
      const body = { tool, args, provider, sessionId };
      return askServer(await access(), { method: 'POST', path: '/api/commands', body }, CommandAnswer);
    },
    async wait(id, _caller: McpCaller, ms, signal) {
      try {
        return await get(id, ms, signal);
      } catch (error) {
        if (!signal.aborted) throw error;
        return get(id, 0, new AbortController().signal);
      }
    },
    async cancel(id, _caller, reason) {
      const path = `/api/commands/${id}/cancel`;
      await askServer(await access(), { method: 'POST', path, body: { reason } }, z.unknown());
    },
  };
}
