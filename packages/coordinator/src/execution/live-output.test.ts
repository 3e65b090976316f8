import type { NewEvent } from '@signalbox/core';
import { createRedactor } from '@signalbox/core';
import {
  aCommandId,
  aProviderId,
  createManualClock,
  createMemoryLogger,
  createMemoryStore,
} from '@signalbox/core/testing';
import { expect, test } from 'vitest';
import { createLiveOutput } from './live-output.ts';

const SECRET = 'hunter2-hunter2';

function setUp(append?: () => Promise<never>) {
  const clock = createManualClock();
  const logger = createMemoryLogger();
  const { events } = createMemoryStore(clock);
  const output = createLiveOutput({
    commandId: aCommandId(),
    provider: aProviderId(),
    events: append === undefined ? events : { ...events, append },
    clock,
    logger,
    redacted: createRedactor({ secrets: [SECRET] }).stream,
  });
  return {
    clock,
    logger,
    output,
    async reported(): Promise<readonly string[]> {
      const replay = await events.since(null, 10_000);
      if (replay.kind === 'reset') throw new Error('reset');
      return replay.events.map((event: NewEvent) =>
        event.type === 'command_output' ? `${event.stream}: ${event.output}` : event.type,
      );
    },
  };
}

test('output within 50 ms becomes one event per stream, and not earlier', async () => {
  const { clock, output, reported } = setUp();
  output.push('stdout', 'a\n');
  output.push('stderr', 'x\n');
  await clock.advance(30);
  output.push('stdout', 'b\n');
  await clock.advance(19);
  expect(await reported()).toEqual([]);
  await clock.advance(1);
  expect(await reported()).toEqual(['stdout: a\nb\n', 'stderr: x\n']);
  expect(clock.pendingTimers()).toBe(0);
});

test('16 KiB are sent at once', async () => {
  const { clock, output, reported } = setUp();
  output.push('stdout', `${'a'.repeat(16 * 1024 - 1)}\n`);
  await clock.advance(0);
  expect((await reported()).map((text) => text.length - 'stdout: '.length)).toEqual([16 * 1024]);
});

test('a secret is redacted however it is split into pieces, even across batches', async () => {
  for (let cut = 1; cut < SECRET.length; cut++) {
    const { clock, output, reported } = setUp();
    output.push('stdout', `it is ${SECRET.slice(0, cut)}`);
    await clock.advance(60);
    output.push('stdout', `${SECRET.slice(cut)}.\n`);
    await output.end();
    const text = (await reported()).map((event) => event.replace('stdout: ', '')).join('');
    expect(text).toBe('it is [redacted:secret].\n');
  }
});

test('at most 1 MiB per stream is sent, and nothing after the end', async () => {
  const { output, reported } = setUp();
  for (let n = 0; n < 40; n++) output.push('stdout', `${'a'.repeat(65_535)}\n`);
  output.push('stderr', 'still here\n');
  await output.end();
  output.push('stderr', 'too late\n');
  const events = await reported();
  expect(
    events
      .filter((text) => text.startsWith('stdout'))
      .join('')
      .replaceAll('stdout: ', ''),
  ).toHaveLength(1024 * 1024);
  expect(events.at(-1)).toBe('stderr: still here\n');
});

test('an event log that fails loses live output, logs it, and never fails the command', async () => {
  const { output, logger } = setUp(() => Promise.reject(new Error('full')));
  output.push('stdout', 'a\n');
  await output.end();
  expect(logger.lines).toMatchObject([{ level: 'warn', message: 'live output lost' }]);
});

test('the end leaves no timer behind', async () => {
  const { clock, output, reported } = setUp();
  output.push('stdout', 'no newline');
  await output.end();
  expect(await reported()).toEqual(['stdout: no newline']);
  expect(clock.pendingTimers()).toBe(0);
});
