import type { Coordinator } from '@signalbox/coordinator';
import {
  type CommandId,
  type CommandResult,
  createId,
  ProviderId,
  type RandomBytes,
  type SessionId,
} from '@signalbox/core';
import { callOf, providerOf } from './call-of.ts';
import type { Answer, BenchClient } from './bench-client.ts';

/** Calls the coordinator as a function, as `signalbox run` does. */
export function createInProcessClient(
  coordinator: Pick<Coordinator, 'submit' | 'cancel'>,
  random: RandomBytes,
): BenchClient {
  const sessions = new Map<number, SessionId>();

  function sessionOf(agent: number): SessionId {
    const known = sessions.get(agent) ?? createId('session', random);
    sessions.set(agent, known);
    return known;
  }

  return {
    send(command) {
      const { tool, args } = callOf(command);
      const { commandId, resting, result } = coordinator.submit(
        { callId: String(command.key), tool, args },
        {
          sessionId: sessionOf(command.agent),
          provider: ProviderId.parse(providerOf(command.agent)),
        },
      );
      return {
        rested: resting,
        answer: result.then((ended) => answerOf(commandId, ended)),
        async cancel() {
          await coordinator.cancel(commandId, providerOf(command.agent), 'planned');
        },
      };
    },
    close: () => Promise.resolve(),
  };
}

function answerOf(commandId: CommandId, { outcome, failure }: CommandResult): Answer {
  return { commandId, outcome: outcome.kind, message: failure?.message ?? null };
}
