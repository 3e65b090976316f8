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

/** A coordinator, and where its dashboard is. */
export type McpBridge = McpRuntime &
  Readonly<{
    /** Null where no port is open, or it can't be asked now. */
    address(): Promise<string | null>;
  }>;

/** A proxy or an HTTP client gives up an answer that does not begin within 5 minutes, and a command may wait for longer. */
const ASK_AGAIN_MS = 60_000;
const AS_AGENT = { channel: 'mcp' } as const;
const STAYS = new AbortController().signal;

/**
 * The coordinator of a workspace, as the agent of this process reaches it: also the next one, where it was killed. A call
 * that was under way then is looked up at the next one, and sent again only where the dead one never stored it.
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

  /** To whoever coordinates after one that does not answer any more. Calls that lost the same one share the next. */
  async function after(lost: LocalAccess): Promise<LocalAccess> {
    if (connected !== null && (await connected) === lost)
      connected = reconnect(connect, { directory, clock });
    return current();
  }

  /** For requests that may come twice. */
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

  /** Who is killed cancels nothing any more: the coordinator does, when our connection breaks. */
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
    async offers({ provider }) {
      return (await ask((client) => client.listTools({ provider }))).tools;
    },
    async offersUnlike(stamp, { provider }, ms, signal) {
      // Not sent again: the agent's program looks again by itself, and what it sees may wait for its next call.
      const asked = { provider, unlike: stamp, wait: ms };
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
        const taken = await findCall(next, sessionId, callId);
        if (taken !== null) return taken;
        if (next.pid === access.pid) throw unknownOutcome(error);
        // The next one leads only when the one before is dead, and that had stored nothing of it: nothing had begun.
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
      // A sentence of an answer: without it the agent is told less, and nothing else.
      const running = await ask((client) => client.listCommands({ state: 'running', limit: 200 })).catch(
        () => null,
      );
      return holderAmong(running?.commands ?? [], view, clock.now());
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
    async cancel(id, _caller, reason) {
      await ask((client) => client.cancelCommand({ id, reason }));
    },
  };
}

/** A call that the coordinator has stored; null when it has not. */
async function findCall(
  access: LocalAccess,
  session: SessionId,
  callId: string,
): Promise<CommandView | null> {
  const { getCommand, listCommands } = clientAt(access);
  const { commands } = await listCommands({ session, limit: 200 });
  const found = commands.find(({ call }) => call.callId === callId);
  return found === undefined ? null : getCommand({ id: found.id });
}

/** A model reads this. */
function unknownOutcome(cause: unknown): UnavailableError {
  return new UnavailableError(
    'answer-unknown',
    'Cannot tell whether this call was taken: the connection broke',
    {
      why: ['it may have been done'],
      next: ['look at what it would have changed before you repeat it'],
      cause,
    },
  );
}
