import { EventEmitter } from 'node:events';
import type { CommandId, CommandRecord } from '@signalbox/core';
import { aCommandId, aCommandRecord, createManualClock } from '@signalbox/core/testing';
import { expect, test } from 'vitest';
import { createInterrupts } from '../frame/interrupts.ts';
import { stopInSteps } from './stop-in-steps.ts';

function stopping(graceMs?: number) {
  const source = new EventEmitter();
  const clock = createManualClock();
  const cancelled: CommandId[] = [];
  const running: readonly CommandRecord[] = [aCommandRecord({ id: aCommandId('a') })];
  const stop = stopInSteps({
    interrupts: createInterrupts(source, () => undefined),
    clock,
    coordinator: {
      cancel(id) {
        cancelled.push(id);
        return Promise.resolve({ kind: 'stopping' });
      },
    },
    store: { unfinished: () => Promise.resolve(running) },
    by: 'ana',
    tell: () => undefined,
    ...(graceMs === undefined ? {} : { graceMs }),
  });
  return { press: () => source.emit('SIGINT'), clock, cancelled, stop };
}

test('the first Ctrl-C ends new calls and gives what runs 10 s', async () => {
  const { press, clock, cancelled, stop } = stopping();
  press();
  expect([stop.signal.aborted, stop.exitCode()]).toEqual([true, 130]);
  await clock.advance(9999);
  expect(cancelled).toEqual([]);
  await clock.advance(1);
  expect(cancelled).toEqual([aCommandId('a')]);
});

test('the second Ctrl-C stops processes now', async () => {
  const { press, clock, cancelled } = stopping();
  press();
  press();
  await clock.advance(0);
  expect(cancelled).toEqual([aCommandId('a')]);
});

test('without a grace the first one does', async () => {
  const { press, clock, cancelled } = stopping(0);
  press();
  await clock.advance(0);
  expect(cancelled).toEqual([aCommandId('a')]);
});
