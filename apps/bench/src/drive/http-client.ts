import { createId, type RandomBytes, type SessionId, UnavailableError } from '@signalbox/core';
import * as z from 'zod';
import type { PlannedCommand } from '../plan/planned-command.ts';
import { callOf, providerOf } from './call-of.ts';
import type { Answer, BenchClient } from './bench-client.ts';

const View = z.object({
  id: z.string(),
  result: z
    .object({
      outcome: z.object({ kind: z.string() }),
      failure: z.object({ message: z.string() }).nullable(),
    })
    .nullable(),
});
type View = z.infer<typeof View>;

/** How long one request waits for a result; then the next one does. */
const PATIENCE_MS = 60_000;

/** A server, and the token of an operator, who may call as any agent. */
type Server = Readonly<{ url: string; token: string }>;

/** One session for each agent. */
export type HttpSession = Readonly<{ sessions: Map<number, SessionId>; random: RandomBytes }>;

/** Calls over HTTP, as a program of one's own does: a request that sends, one that waits for the result. */
export function createHttpClient({
  random,
  ...server
}: Server & Readonly<{ random: RandomBytes }>): BenchClient {
  const session: HttpSession = { sessions: new Map(), random };

  async function untilDone(view: View): Promise<Answer> {
    let current = view;
    while (current.result === null) {
      current = viewOf(await askHttp(server, `/api/commands/${view.id}?wait=${PATIENCE_MS}`));
    }
    const { outcome, failure } = current.result;
    return { commandId: view.id, outcome: outcome.kind, message: failure?.message ?? null };
  }

  return {
    send(command) {
      const rested = sendHttp(server, command, session);
      return {
        rested,
        answer: rested.then(untilDone),
        async cancel() {
          await askHttp(server, `/api/commands/${(await rested).id}/cancel`, { reason: 'planned' });
        },
      };
    },
    close: () => Promise.resolve(),
  };
}

/** Sends a command; answers when it rests. */
export async function sendHttp(
  server: Server,
  command: PlannedCommand,
  { sessions, random }: HttpSession,
): Promise<View> {
  const sessionId = sessions.get(command.agent) ?? createId('session', random);
  sessions.set(command.agent, sessionId);
  const provider = providerOf(command.agent);
  const body = { ...callOf(command), callId: String(command.key), sessionId, provider };
  return viewOf(await askHttp(server, '/api/commands', body));
}

/** @throws {UnavailableError} `request-failed`, with what the server said. */
export async function askHttp({ url, token }: Server, path: string, body?: unknown): Promise<unknown> {
  const response = await fetch(new URL(path, url), {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (response.ok) return response.json();
  throw new UnavailableError('request-failed', `Cannot ask ${path}: status ${response.status}`, {
    why: [await response.text()],
  });
}

export function viewOf(answer: unknown): View {
  return View.parse(answer);
}
