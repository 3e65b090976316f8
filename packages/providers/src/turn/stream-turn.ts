import { ProviderError, type Clock, type TurnEvent, type TurnLimits } from '@signalbox/core';
import type { ErrorFacts } from './error-facts.ts';
import { toProviderError } from './to-provider-error.ts';
import { watch } from './watch.ts';

/** What a wire's accumulator does with the pieces of one turn. */
export type Accumulator = {
  /** A piece as it came; unknown kinds of pieces are ignored. @throws when it is not the protocol. */
  accept(piece: unknown): Iterable<TurnEvent>;
  /** Usage and `done`. @throws {ProviderError} `Truncated` when the terminal event has not come. */
  end(): Iterable<TurnEvent>;
};

/** One turn over one wire. */
export async function* streamTurn(turn: {
  providerId: string;
  apiKey: string;
  clock: Clock;
  limits: TurnLimits;
  open: (signal: AbortSignal) => PromiseLike<AsyncIterable<unknown>>;
  accumulator: Accumulator;
  factsOf: (error: unknown) => ErrorFacts;
}): AsyncGenerator<TurnEvent, void, undefined> {
  let sawOutput = false;
  try {
    for await (const piece of watch(turn.open, turn.limits, turn.clock)) {
      sawOutput = true;
      yield* turn.accumulator.accept(piece);
    }
    yield* turn.accumulator.end();
  } catch (error) {
    throw error instanceof ProviderError
      ? named(error, turn.providerId, sawOutput)
      : toProviderError(turn.factsOf(error), {
          providerId: turn.providerId,
          apiKey: turn.apiKey,
          sawOutput,
          now: turn.clock.now(),
        });
  }
}

/** Errors of our own words: they quote nothing that the server said. */
function named(error: ProviderError, providerId: string, sawOutput: boolean): ProviderError {
  return new ProviderError(error.kind, `Cannot get a turn from "${providerId}": ${error.message}`, {
    sawOutput,
  });
}
