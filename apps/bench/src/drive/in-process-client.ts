import type { Coordinator } from '@signalbox/coordinator';
import type { RandomBytes } from '@signalbox/core';
import { answerOf, type BenchClient } from './bench-client.ts';
import { callOf, createAgents } from './call-of.ts';

/** Calls the coordinator as a function, as sessions in its process do. */
export function createInProcessClient(
  coordinator: Pick<Coordinator, 'submit' | 'cancel'>,
  random: RandomBytes,
): BenchClient {
  const callerOf = createAgents(random);
  return {
    send(command) {
      const caller = callerOf(command.agent);
      const { commandId, resting, result } = coordinator.submit(callOf(command), caller);
      return {
        rested: resting,
        answer: result.then((ended) => answerOf(commandId, ended)),
        async cancel() {
          await coordinator.cancel(commandId, caller.provider, 'planned');
        },
      };
    },
    close: () => Promise.resolve(),
  };
}
