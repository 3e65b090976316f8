import { cancelCommand, CommandView, listTools } from '@signalbox/api';
import { type Clock, type CommandId, UnavailableError } from '@signalbox/core';
import type { McpHouse } from '@signalbox/server/mcp';
import { askServer } from './ask-server.ts';
import type { JoinedServer } from './join-server.ts';

/** An HTTP client gives up an answer that does not begin within 5 minutes, and a command may wait for longer. */
const ASK_AGAIN_MS = 60_000;

/** The server of a workspace, as the agent of this process reaches it, also when it is another one by now. */
export function createRemoteMcpHouse(
  { access, look }: Pick<JoinedServer, 'access' | 'look'>,
  clock: Pick<Clock, 'monotonic'>,
): McpHouse {
  async function get(id: CommandId, ms: number, signal: AbortSignal): Promise<CommandView> {
    const path = `/api/commands/${id}`;
    const request =
      ms === 0
        ? { method: 'GET' as const, path }
        : // Who is killed cancels nothing any more: the server does, when our connection breaks.
          { method: 'POST' as const, path: `${path}/attend`, body: { wait: Math.round(ms) } };
    return askServer(await access(), { ...request, signal }, CommandView);
  }

  /** A server that dies while we wait is looked for once more: the next one leads what it has left. */
  async function getFromAny(id: CommandId, ms: number, signal: AbortSignal): Promise<CommandView> {
    try {
      return await get(id, ms, signal);
    } catch (error) {
      if (signal.aborted) return get(id, 0, new AbortController().signal);
      if (error instanceof UnavailableError) return get(id, 0, signal);
      throw error;
    }
  }

  return {
    async offers({ provider }) {
      const path = `/api/tools?provider=${provider}`;
      return (await askServer(await access(), { method: 'GET', path }, listTools.schema.response[200])).tools;
    },
    async offersUnlike(stamp, { provider }, ms, signal) {
      const path = `/api/tools?provider=${provider}&unlike=${stamp}&wait=${ms}`;
      return (await askServer(look(), { method: 'GET', path, signal }, listTools.schema.response[200])).tools;
    },
    async send({ tool, args }, { provider, sessionId }) {
      const body = { tool, args, provider, sessionId };
      return askServer(await access(), { method: 'POST', path: '/api/commands', body }, CommandView);
    },
    async wait(id, ms, signal) {
      const until = clock.monotonic() + ms;
      for (;;) {
        const leftMs = Math.max(until - clock.monotonic(), 0);
        const view = await getFromAny(id, Math.min(leftMs, ASK_AGAIN_MS), signal);
        if (view.result !== null || leftMs === 0 || signal.aborted) return view;
      }
    },
    async answer(id, { answer, callHash, reason }) {
      const path = `/api/approvals/${id}/${answer === 'approve' ? 'grant' : 'refuse'}`;
      const why = answer === 'approve' || reason === undefined || reason === '' ? {} : { reason };
      const body = { callHash, ...why };
      await askServer(await access(), { method: 'POST', path, body, channel: 'mcp' }, CommandView);
    },
    async cancel(id, _caller, reason) {
      const path = `/api/commands/${id}/cancel`;
      await askServer(
        await access(),
        { method: 'POST', path, body: { reason } },
        cancelCommand.schema.response[200],
      );
    },
  };
}
