import { createId, type RandomBytes, type SessionId, UnavailableError } from '@signalbox/core';
import * as z from 'zod';
import { callOf, providerOf } from './call-of.ts';
import type { Answer, Door } from './door.ts';

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

/** Calls over HTTP, as a program of one's own does: a request that sends, one that waits for the result. */
export function httpDoor(options: {
  readonly url: string;
  /** Of an operator: it may call as any agent. */
  readonly token: string;
  readonly random: RandomBytes;
}): Door {
  const { url, token, random } = options;
  const sessions = new Map<number, SessionId>();

  function sessionOf(agent: number): SessionId {
    const known = sessions.get(agent) ?? createId('session', random);
    sessions.set(agent, known);
    return known;
  }

  async function ask(path: string, body?: unknown): Promise<unknown> {
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

  async function untilDone(view: View): Promise<Answer> {
    let current = view;
    while (current.result === null) {
      current = View.parse(await ask(`/api/commands/${view.id}?wait=${PATIENCE_MS}`));
    }
    const { outcome, failure } = current.result;
    return { commandId: view.id, outcome: outcome.kind, message: failure?.message ?? null };
  }

  return {
    send(command) {
      const { tool, args } = callOf(command);
      const rested = ask('/api/commands', {
        tool,
        args,
        callId: String(command.key),
        sessionId: sessionOf(command.agent),
        provider: providerOf(command.agent),
      }).then((view) => View.parse(view));
      return {
        rested,
        answer: rested.then(untilDone),
        async cancel() {
          await ask(`/api/commands/${(await rested).id}/cancel`, { reason: 'planned' });
        },
      };
    },
    close: () => Promise.resolve(),
  };
}
