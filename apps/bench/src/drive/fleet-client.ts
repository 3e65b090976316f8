import type { CommandStore } from '@signalbox/core';
import { type Clock, ProviderId, type RandomBytes } from '@signalbox/core';
import type { Fleet } from '../members/open-fleet.ts';
import { providerOf } from './call-of.ts';
import type { Answer, BenchClient } from './bench-client.ts';
import { askHttp, type HttpSession, sendHttp, viewOf } from './http-client.ts';

/** A killed process took a call in or it did not; when the store has not heard of it for so long, it did not. */
const UNSENT_AFTER_MS = 5000;
const LOOKS_EVERY_MS = 250;
const PATIENCE_MS = 2000;

/** Calls whichever process of the fleet can be reached, and asks another one when that is killed. */
export function createFleetClient(options: {
  readonly fleet: Fleet;
  /** Shared by all processes. */
  readonly store: Pick<CommandStore, 'list'>;
  readonly token: string;
  readonly clock: Clock;
  readonly random: RandomBytes;
}): BenchClient {
  const { fleet, store, token, clock, random } = options;
  const session: HttpSession = { sessions: new Map(), random };
  let turn = 0;

  async function nextUrl(): Promise<string> {
    await fleet.someone();
    const urls = fleet.urls();
    turn += 1;
    return urls[turn % urls.length] ?? nextUrl();
  }

  const pause = (): Promise<void> => new Promise((resolve) => clock.timer(LOOKS_EVERY_MS, resolve));

  /** Looks a call up that went out to a process which has answered nothing. */
  async function findSent(key: number, agent: number): Promise<string | null> {
    const until = clock.monotonic() + UNSENT_AFTER_MS;
    for (;;) {
      const records = await store.list({ provider: ProviderId.parse(providerOf(agent)), limit: 20 });
      const found = records.find(({ call }) => call.callId === String(key));
      if (found !== undefined) return found.id;
      if (clock.monotonic() > until) return null;
      await pause();
    }
  }

  async function untilDone(id: string): Promise<Answer> {
    for (;;) {
      const url = await nextUrl();
      try {
        const view = viewOf(await askHttp({ url, token }, `/api/commands/${id}?wait=${PATIENCE_MS}`));
        if (view.result === null) continue;
        const { outcome, failure } = view.result;
        return { commandId: id, outcome: outcome.kind, message: failure?.message ?? null };
      } catch {
        await pause();
      }
    }
  }

  return {
    send(command) {
      const rested = nextUrl()
        .then((url) => sendHttp({ url, token }, command, session))
        .then(
          ({ id }) => id,
          () => findSent(command.key, command.agent),
        );
      return {
        rested,
        answer: rested.then((id) =>
          id === null ? { commandId: 'none', outcome: 'unsent', message: null } : untilDone(id),
        ),
        async cancel() {
          const id = await rested;
          if (id === null) return;
          await askHttp({ url: await nextUrl(), token }, `/api/commands/${id}/cancel`, {
            reason: 'planned',
          }).catch(() => undefined);
        },
      };
    },
    close: () => Promise.resolve(),
  };
}
