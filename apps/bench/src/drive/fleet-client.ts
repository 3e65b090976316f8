import { ask, cancelCommand, getCommand, type Send, submitCommand } from '@signalbox/api';
import type { Clock, CommandId, CommandRecord, ProviderId, RandomBytes } from '@signalbox/core';
import type { Fleet } from '../nodes/open-fleet.ts';
import { type BenchAnswer, answerOf, type BenchClient } from './bench-client.ts';
import { callOf, createAgents, providerOf } from './call-of.ts';
import { sendTo } from './http-client.ts';

/** A killed process may have accepted a call. If the store does not have it after this time, it had not. */
const UNSENT_AFTER_MS = 5000;
const POLL_EVERY_MS = 250;
const PATIENCE_MS = 2000;

/** Calls any process of the fleet that can be reached, and asks another when that one is killed. */
export function createFleetClient(options: {
  readonly fleet: Fleet;
  /** Shared by all processes; rejects while it is away. */
  readonly store: Readonly<{
    list(
      of: Readonly<{ provider: ProviderId; limit: number }>,
    ): Promise<readonly Readonly<{ id: CommandId; call: Pick<CommandRecord['call'], 'callId'> }>[]>;
  }>;
  readonly token: string;
  readonly clock: Clock;
  readonly random: RandomBytes;
}): BenchClient {
  const { fleet, store, token, clock, random } = options;
  const callerOf = createAgents(random);
  let turn = 0;

  /** Requests go to the processes in turn. */
  const send: Send = async (request) => sendTo({ url: await nextUrl(), token })(request);

  async function nextUrl(): Promise<string> {
    await fleet.anyNode();
    const urls = fleet.urls();
    turn += 1;
    return urls[turn % urls.length] ?? nextUrl();
  }

  const pause = (): Promise<void> => new Promise((resolve) => clock.timer(POLL_EVERY_MS, resolve));

  /** Looks for a call whose process never answered. */
  async function findSent(callId: string, agent: number): Promise<CommandId | null> {
    let until = clock.monotonic() + UNSENT_AFTER_MS;
    for (;;) {
      const records = await store.list({ provider: providerOf(agent), limit: 20 }).catch(() => null);
      const found = records?.find(({ call }) => call.callId === callId);
      if (found !== undefined) return found.id;
      if (records === null) until = clock.monotonic() + UNSENT_AFTER_MS;
      else if (clock.monotonic() > until) return null;
      await pause();
    }
  }

  async function untilDone(id: CommandId): Promise<BenchAnswer> {
    for (;;) {
      try {
        const { result } = await ask(send, getCommand, { asked: { id, wait: PATIENCE_MS } });
        if (result !== null) return answerOf(id, result);
      } catch {
        await pause();
      }
    }
  }

  return {
    send(command) {
      const call = callOf(command);
      const rested = ask(send, submitCommand, { asked: { ...call, ...callerOf(command.agent) } }).then(
        ({ id }) => id,
        () => findSent(call.callId, command.agent),
      );
      return {
        rested,
        answer: rested.then((id) =>
          id === null ? { commandId: 'none', outcome: 'unsent', message: null } : untilDone(id),
        ),
        async cancel() {
          const id = await rested;
          if (id === null) return;
          await ask(send, cancelCommand, { asked: { id, reason: 'planned' } }).catch(() => undefined);
        },
      };
    },
    close: () => Promise.resolve(),
  };
}
