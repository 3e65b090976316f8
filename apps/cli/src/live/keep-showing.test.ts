import { UnavailableError, UsageError } from '@signalbox/core';
import { createManualClock } from '@signalbox/core/testing';
import { expect, test } from 'vitest';
import { line } from '../terminal/line.ts';
import { RENDER, screenText } from '../testing/screen-text.ts';
import type { Context } from '../runtime/contract/context.ts';
import { keepShowing } from './keep-showing.ts';

const POLL_EVERY_MS = 500;

/** Shows each result of `read`; on a terminal of four rows if `isScreen`. */
function open(read: () => Promise<number>, { isScreen = false, json = false } = {}) {
  const clock = createManualClock();
  const reported: string[] = [];
  const drawn: string[] = [];
  let stop = (): void => undefined;
  const facts = { tty: isScreen, colour: false, width: isScreen ? 80 : Infinity };
  const context: Parameters<typeof keepShowing>[1] = {
    terminal: {
      stdin: { tty: isScreen, rawMode: isScreen },
      stdout: facts,
      stderr: facts,
      rows: 4,
      ascii: false,
      live: isScreen,
    },
    flags: { json, quiet: false, verbose: 0, color: 'auto', ascii: false, input: true },
    clock,
    interrupts: {
      listen(listener) {
        stop = () => listener(1, 'SIGINT');
        return () => undefined;
      },
      raise: () => undefined,
    },
    answer: (answer) =>
      reported.push(
        json ? JSON.stringify(answer.json()) : screenText(answer.lines(RENDER)).replace('\n', ' '),
      ),
    print: (lines) => reported.push(screenText(lines)),
    reportError: (error) => reported.push(error instanceof Error ? error.message : ''),
    draw: (bytes) => drawn.push(bytes),
    rendering: () => ({ colour: false, ascii: false, width: 80 }),
    rows: () => 4,
    noticeRender: () => RENDER,
  } satisfies Partial<Context>;
  const ended = keepShowing(
    {
      read,
      json: (value) => ({ value }),
      lines: (value) => Array.from({ length: value }, (_, i) => line(`row ${i + 1} of ${value}`)),
      facts: (value) => value,
    },
    context,
  );
  return { reported, drawn, ended, stop: () => stop(), next: () => clock.advance(POLL_EVERY_MS) };
}

/** Returns one after the other, then the last repeatedly. */
function inTurn(...values: readonly (number | Error)[]): () => Promise<number> {
  const left = [...values];
  return async () => {
    const value = (left.length > 1 ? left.shift() : left[0]) ?? 0;
    if (value instanceof Error) throw value;
    return value;
  };
}

test('an answer is printed again when it changes, and a read error is reported once', async () => {
  const away = new UnavailableError('redis-gone', 'Cannot reach it');
  const shown = open(inTurn(1, 1, away, away, 1, 2), { json: true });
  for (let render = 0; render < 7; render++) await shown.next();
  shown.stop();
  expect(await shown.ended).toBe(130);
  expect(shown.reported).toEqual(['{"value":1}', 'Cannot reach it', '{"value":1}', '{"value":2}']);
  const plain = open(inTurn(1));
  await plain.next();
  plain.stop();
  await plain.ended;
  expect(plain.reported).toEqual(['12:04:33 row 1 of 1']);
});

test('on a terminal it is redrawn in place, no higher than the screen, and the last answer stays', async () => {
  const shown = open(inTurn(1, 9), { isScreen: true });
  await shown.next();
  await shown.next();
  const frames = shown.drawn.join('');
  expect(frames).toContain('row 1 of 1');
  expect(frames).toContain('row 3 of 9');
  expect(frames).not.toContain('row 4 of 9');
  shown.stop();
  await shown.ended;
  expect(shown.drawn.at(-1)).toContain('\x1b[?25h');
  expect(shown.reported).toEqual([expect.stringContaining('row 9 of 9')]);
});

test('a permanent error ends it, and Ctrl-C stops waiting for an answer', async () => {
  await expect(open(inTurn(new UsageError('no-token', 'Cannot ask'))).ended).rejects.toThrow('Cannot ask');
  const hanging = open(() => new Promise(() => undefined));
  hanging.stop();
  expect(await hanging.ended).toBe(130);
});
