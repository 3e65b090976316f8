import { type ApiClient, type CommandView, FIVE_MINUTES_MS } from '@signalbox/api';
import {
  type Clock,
  type CommandId,
  createId,
  modelEnvironment,
  type RandomBytes,
  type SessionId,
  UnavailableError,
} from '@signalbox/core';
import { holderAmong, type McpRuntime } from '@signalbox/server/mcp';
import { clientAt } from '../../client/client-at.ts';
import { isGone, reconnect } from '../../client/reconnect.ts';
import type { LocalAccess } from '../../runtime/server/local-access.ts';

/** A coordinator, and the address of its dashboard. */
export type McpBridge = McpRuntime &
  Readonly<{
    /** Null if no port is open, or the request fails. */
    address(): Promise<string | null>;
  }>;

/** A proxy or an HTTP client gives up after 5 minutes without a response, and a command may wait longer. */
const ASK_AGAIN_MS = 60_000;
const AS_AGENT = { channel: 'mcp' } as const;
const STAYS = new AbortController().signal;

/**
 * The coordinator of a workspace as this process's agent sees it, including the successor of a killed one. A call in
 * flight at that time is looked up at the successor, and sent again only if the dead one never stored it.
 *
 * @param connect finds the coordinator, or starts one
 */
export function createMcpBridge(
  connect: () => Promise<LocalAccess>,
  {
    clock,
    random,
    env,
    directory,
  }: {
    readonly clock: Clock;
    readonly random: RandomBytes;
    /** Of the agent that started this process. */
    readonly env: Readonly<Record<string, string | undefined>>;
    readonly directory: string;
  },
): McpBridge {
  const clientEnv = modelEnvironment(env);
  let connected: Promise<LocalAccess> | null = null;

  function current(): Promise<LocalAccess> {
    connected ??= connect();
    connected.catch(() => {
      connected = null;
    });
    return connected;
  }

  /** Connects to the successor of an unresponsive coordinator. Calls that lost the same one share the next. */
  async function after(lost: LocalAccess): Promise<LocalAccess> {
    if (connected !== null && (await connected) === lost)
      connected = reconnect(connect, { directory, clock });
    return current();
  }

  /** For requests that may be repeated. */
  async function ask<Answer>(
    request: (client: ApiClient) => Promise<Answer>,
    signal = STAYS,
  ): Promise<Answer> {
    const access = await current();
    try {
      return await request(clientAt(access, AS_AGENT));
    } catch (error) {
      if (!isGone(error) || signal.aborted) throw error;
      return request(clientAt(await after(access), AS_AGENT));
    }
  }

  function render(id: CommandId, signal: AbortSignal): Promise<CommandView> {
    return ask((client) => client.getCommand({ id }, signal), signal);
  }

  /** If this process is killed, the coordinator cancels when the connection breaks. */
  async function attend(id: CommandId, ms: number, signal: AbortSignal): Promise<CommandView> {
    const access = await current();
    try {
      return await clientAt(access).attendCommand({ id, wait: Math.round(ms) }, signal);
    } catch (error) {
      if (signal.aborted) return render(id, STAYS);
      if (!isGone(error)) throw error;
      await after(access);
      return render(id, signal);
    }
  }

  return {
    address: () =>
      ask((client) => client.getCoordinator()).then(
        ({ ports }) => ports[0] ?? null,
        () => null,
      ),
    async offers({ provider, sessionId: session }) {
      return (await ask((client) => client.listTools({ provider, session }))).tools;
    },
    async offersUnlike(stamp, { provider, sessionId: session }, { ms, signal }) {
      // Not repeated: the agent's program polls by itself, and what it would see may wait for its next call.
      const asked = { provider, session, unlike: stamp, wait: ms };
      return (await clientAt(await current()).listTools(asked, signal)).tools;
    },
    async send({ tool, args }, { provider, sessionId }) {
      const callId = createId('turn', random);
      const call = { tool, args, callId, provider, sessionId, clientEnv };
      const access = await current();
      try {
        return await clientAt(access).submitCommand(call);
      } catch (error) {
        if (!isGone(error)) throw error;
        const next = await after(access);
        const taken = await findCall(next, sessionId, { callId });
        if (taken !== null) return taken;
        if (next.pid === access.pid) throw unknownOutcome(error);
        // The successor leads only once its predecessor is dead, and that had stored nothing of the call: it had not
        // begun.
        return clientAt(next).submitCommand(call);
      }
    },
    async wait(id, ms, signal) {
      const until = clock.monotonic() + ms;
      for (;;) {
        const leftMs = Math.max(until - clock.monotonic(), 0);
        const view = await (leftMs === 0
          ? render(id, signal)
          : attend(id, Math.min(leftMs, ASK_AGAIN_MS), signal));
        if (view.result !== null || leftMs === 0 || signal.aborted) return view;
      }
    },
    async holderFor(view) {
      if (view.state !== 'queued') return null;
      // Optional part of an answer: without it the agent just gets less detail.
      const running = await ask((client) => client.listCommands({ state: 'running', limit: 200 })).catch(
        () => null,
      );
      return holderAmong(running?.commands ?? [], clock.now(), view);
    },
    async answer(id, { answer, callHash, reason }) {
      const why = reason === undefined || reason === '' ? {} : { reason };
      await ask(({ grantApproval, refuseApproval, extendApproval }) => {
        if (answer === 'extend') return extendApproval({ id, callHash, ms: FIVE_MINUTES_MS });
        return answer === 'approve'
          ? grantApproval({ id, callHash })
          : refuseApproval({ id, callHash, ...why });
      });
    },
    async reply(id, { callHash, text }) {
      await ask((client) => client.answerQuestion({ id, callHash, text }));
    },
    async cancel(id, _caller, { reason }) {
      await ask((client) => client.cancelCommand({ id, reason }));
    },
  };
}

/** A call that the coordinator has stored; null otherwise. */
async function findCall(
  access: LocalAccess,
  session: SessionId,
  { callId }: Readonly<{ callId: string }>,
): Promise<CommandView | null> {
  const { getCommand, listCommands } = clientAt(access);
  const { commands } = await listCommands({ session, limit: 200 });
  const found = commands.find(({ call }) => call.callId === callId);
  return found === undefined ? null : getCommand({ id: found.id });
}

/** Read by a model. */
function unknownOutcome(cause: unknown): UnavailableError {
  return new UnavailableError(
    'answer-unknown',
    'Cannot tell whether this call was accepted: the connection broke',
    {
      why: ['it may have run'],
      next: ['check what it would have changed before you repeat it'],
      cause,
    },
  );
}
