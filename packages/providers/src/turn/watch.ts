import { ProviderError, type Clock, type TurnLimits } from '@signalbox/core';

/**
 * Iterates a stream under our own limits and the caller's signal.
 *
 * The vendors' iterators end without an error when aborted and hang on a stall, and their timeout covers only
 * the time until the response headers. So each piece is awaited here, and a timeout or cancellation wins over
 * the iterator's own result. Time the consumer takes between two pieces doesn't count as silence.
 *
 * @throws {ProviderError} `Timeout` or `Cancelled`; other errors are thrown unchanged
 */
export async function* watch<T>(
  open: (signal: AbortSignal) => PromiseLike<AsyncIterable<T>>,
  limits: TurnLimits,
  clock: Clock,
): AsyncGenerator<T, void, undefined> {
  const controller = new AbortController();
  let stopped: ProviderError | undefined;
  let sawOutput = false;
  let rejectPending: (reason: ProviderError) => void = () => {};

  const stop = (kind: 'Timeout' | 'Cancelled', message: string): void => {
    stopped ??= new ProviderError(kind, message, { sawOutput });
    rejectPending(stopped);
    controller.abort();
  };
  const orStopped = <Value>(work: PromiseLike<Value>): Promise<Value> =>
    new Promise((resolve, reject) => {
      rejectPending = reject;
      work.then(resolve, reject);
      if (stopped !== undefined) reject(stopped);
    });
  const cancel = (): void => stop('Cancelled', 'cancelled');
  const within = (limitMs: number, what: string): (() => void) =>
    clock.timer(limitMs, () => stop('Timeout', `${what} for ${limitMs} ms`));

  limits.signal.addEventListener('abort', cancel, { once: true });
  const endTotal = within(limits.totalMs, 'the turn has run');
  let endSilence = within(limits.firstByteMs, 'nothing came');
  try {
    if (limits.signal.aborted) cancel();
    if (stopped !== undefined) throw stopped;
    const iterator = (await orStopped(open(controller.signal)))[Symbol.asyncIterator]();
    while (true) {
      const next = await orStopped(iterator.next());
      endSilence();
      if (next.done === true) return;
      sawOutput = true;
      yield next.value;
      if (stopped !== undefined) throw stopped;
      endSilence = within(limits.idleMs, 'the stream was silent');
    }
  } finally {
    endSilence();
    endTotal();
    limits.signal.removeEventListener('abort', cancel);
    controller.abort();
  }
}
