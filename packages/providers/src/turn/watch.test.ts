import { createManualClock } from '@signalbox/core/testing';
import { expect, test } from 'vitest';
import { watch } from './watch.ts';

const limits = (signal = new AbortController().signal) => ({
  signal,
  firstByteMs: 1000,
  idleMs: 500,
  totalMs: 60_000,
});
const never = new Promise<never>(() => {});
/** A stream that yields one value and then hangs, ignoring its signal. */
async function* deaf(): AsyncGenerator<string> {
  yield 'hello';
  await never;
}

test('watch() ends at its limits even if the stream ignores the abort', async () => {
  const clock = createManualClock();
  const stream = watch(async () => deaf(), limits(), clock);
  expect(await stream.next()).toEqual({ done: false, value: 'hello' });
  const next = stream.next().catch((error: unknown) => error);
  await clock.advance(500);
  expect(await next).toMatchObject({ kind: 'Timeout', sawOutput: true });
  expect(clock.pendingTimers()).toBe(0);
});

test('watch() ends at its limits even if the stream never opens', async () => {
  const clock = createManualClock();
  const next = watch(() => never, limits(), clock)
    .next()
    .catch((error: unknown) => error);
  await clock.advance(1000);
  expect(await next).toMatchObject({ kind: 'Timeout' });
});

test('watch() reports an abort that ends the stream without an error', async () => {
  const controller = new AbortController();
  const clock = createManualClock();
  const stream = watch(
    async (signal) =>
      (async function* quiet(): AsyncGenerator<string> {
        yield 'hello';
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
      })(),
    limits(controller.signal),
    clock,
  );
  await stream.next();
  const next = stream.next().catch((error: unknown) => error);
  controller.abort();
  expect(await next).toMatchObject({ kind: 'Cancelled' });
});

test('watch() does not count the time its consumer takes', async () => {
  const clock = createManualClock();
  const stream = watch(
    async () =>
      (async function* two(): AsyncGenerator<number> {
        yield 1;
        yield 2;
      })(),
    limits(),
    clock,
  );
  await stream.next();
  await clock.advance(5000);
  expect(await stream.next()).toEqual({ done: false, value: 2 });
});

test('watch() aborts the request when its consumer stops early', async () => {
  let asked: AbortSignal | undefined;
  const clock = createManualClock();
  const stream = watch(
    async (signal) => {
      asked = signal;
      return deaf();
    },
    limits(),
    clock,
  );
  for await (const piece of stream) if (piece === 'hello') break;
  expect(asked?.aborted).toBe(true);
  expect(clock.pendingTimers()).toBe(0);
});

test('watch() opens no stream for a turn cancelled before it began', async () => {
  let opened = false;
  const open = async (): Promise<AsyncIterable<string>> => {
    opened = true;
    return deaf();
  };
  const next = watch(open, limits(AbortSignal.abort()), createManualClock()).next();
  await expect(next).rejects.toMatchObject({ kind: 'Cancelled', sawOutput: false });
  expect(opened).toBe(false);
});
