import { UnavailableError } from '@signalbox/core';
import { expect, test } from 'vitest';
import type { Context } from '../runtime/contract/context.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { Line } from '../terminal/line.ts';
import { reviewAfterRun } from './review-after-run.ts';
import type { ReviewParts } from './review-loop.ts';

const TERMINAL = { stdin: { tty: true }, stderr: { tty: true } } as Terminal;

function contextOf(said: string[]): Context {
  const part: Partial<Context> = {
    flags: { input: true, json: false } as Context['flags'],
    terminal: TERMINAL,
    say: (lines: readonly Line[]) => void said.push(JSON.stringify(lines)),
  };
  return part as Context;
}

const failing = (error: Error): ReviewParts => ({
  load() {
    throw error;
  },
  client: {} as ReviewParts['client'],
});

test.for(['stopping', 'no-answer'] as const)(
  'a run whose coordinator is told to stop ends without an error: %s',
  async (code) => {
    const said: string[] = [];
    await reviewAfterRun(failing(new UnavailableError(code, 'Cannot answer')), contextOf(said));
    expect(said.join('')).toContain('signalbox review');
  },
);

test('another error is reported', async () => {
  const failure = new UnavailableError('disk-broken', 'Cannot write');
  await expect(reviewAfterRun(failing(failure), contextOf([]))).rejects.toBe(failure);
});
