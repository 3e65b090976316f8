import { ProviderError, type Clock, type TurnLimits } from '@signalbox/core';

/**
 * Iterates a stream under our own limits and the caller's signal.
 *
 * The vendors' iterators end quietly when they are aborted and hang on a stall, and their timeout ends with
 * the response's headers. So we wait for each piece ourselves, and whoever stops us wins over whatever the
 * iterator does then. Time that the consumer takes between two pieces is not silence.
 *
 * @throws {ProviderError} `Timeout` or `Cancelled`; all else is thrown as it came.
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
  const endTotal = within(limits.totalMs, 'the turn has gone on');
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
