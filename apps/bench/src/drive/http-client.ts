import { ask, cancelCommand, type CommandView, getCommand, type Send, submitCommand } from '@signalbox/api';
import type { RandomBytes } from '@signalbox/core';
import { type BenchAnswer, answerOf, type BenchClient } from './bench-client.ts';
import { callOf, createAgents } from './call-of.ts';

/** How long one request waits for a result before the next one continues. */
const PATIENCE_MS = 60_000;

/** A server, and the token of an operator, who may call as any agent. */
type Server = Readonly<{ url: string; token: string }>;

/** Calls over HTTP, as a user's program does: one request sends, another waits for the result. */
export function createHttpClient({
  random,
  ...server
}: Server & Readonly<{ random: RandomBytes }>): BenchClient {
  const callerOf = createAgents(random);
  const send = sendTo(server);

  async function untilDone({ id, result }: CommandView): Promise<BenchAnswer> {
    let ended = result;
    while (ended === null)
      ({ result: ended } = await ask(send, getCommand, { asked: { id, wait: PATIENCE_MS } }));
    return answerOf(id, ended);
  }

  return {
    send(command) {
      const rested = ask(send, submitCommand, { asked: { ...callOf(command), ...callerOf(command.agent) } });
      return {
        rested,
        answer: rested.then(untilDone),
        async cancel() {
          await ask(send, cancelCommand, { asked: { id: (await rested).id, reason: 'planned' } });
        },
      };
    },
    close: () => Promise.resolve(),
  };
}

/** Sends the requests of the API with `fetch`. */
export function sendTo({ url, token }: Server): Send {
  return async ({ method, path, body, signal }) => {
    const response = await fetch(new URL(path, url), {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
    });
    return { status: response.status, body: await response.json().catch(() => null) };
  };
}
