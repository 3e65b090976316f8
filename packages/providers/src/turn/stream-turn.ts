import { ProviderError, type Clock, type TurnEvent, type TurnLimits } from '@signalbox/core';
import type { ErrorFacts } from './error-facts.ts';
import { toProviderError } from './to-provider-error.ts';
import { watch } from './watch.ts';

/** Turns the pieces of one turn into events. */
export type Accumulator = {
  /**
   * Takes the next piece as received; unknown kinds are ignored.
   *
   * @throws when the piece violates the protocol
   */
  accept(piece: unknown): Iterable<TurnEvent>;
  /**
   * Yields usage and `done`.
   *
   * @throws {ProviderError} `Truncated` when the terminal event is missing
   */
  end(): Iterable<TurnEvent>;
};

/** Streams one turn over one API. */
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
      ? named(error, turn.providerId, { sawOutput })
      : toProviderError(turn.factsOf(error), {
          providerId: turn.providerId,
          apiKey: turn.apiKey,
          sawOutput,
          now: turn.clock.now(),
        });
  }
}

/** Adds the provider's id. No redaction is needed: our own errors don't quote the server. */
function named(
  error: ProviderError,
  providerId: string,
  { sawOutput }: Readonly<{ sawOutput: boolean }>,
): ProviderError {
  return new ProviderError(error.kind, `Cannot get a turn from "${providerId}": ${error.message}`, {
    sawOutput,
  });
}
