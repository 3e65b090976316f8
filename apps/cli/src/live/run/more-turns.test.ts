import { aProviderId, createManualClock } from '@signalbox/core/testing';
import { expect, test } from 'vitest';
import { screenText } from '../../testing/screen-text.ts';
import { createTurnQuestions, MORE_TURNS } from './more-turns.ts';

const y = { kind: 'text', text: 'y' } as const;
const n = { kind: 'text', text: 'n' } as const;

function start() {
  const clock = createManualClock();
  const questions = createTurnQuestions({ clock, redraw: () => undefined });
  const controller = new AbortController();
  const ask = (provider: string): Promise<number | null> =>
    questions.ask({ provider: aProviderId(provider), turns: 100, signal: controller.signal });
  return { clock, questions, ask, controller };
}

test('a session out of turns asks in plain words; y grants ten more (U-B3)', async () => {
  const { clock, questions, ask } = start();
  const more = ask('openai');
  expect(screenText(questions.rows())).toBe(
    '! openai used 100 turns and has not finished. 10 more?  [y] yes  [n] stop',
  );
  expect(questions.press(y)).toBe(false);
  await clock.advance(400);
  expect(questions.press(y)).toBe(true);
  expect(await more).toBe(MORE_TURNS);
  expect(questions.rows()).toEqual([]);
});

test('a session whose call failed critically asks whether to continue, and shows what a tool may have hidden (L-15)', () => {
  const { questions, controller } = start();
  const failure = 'deploy: no\u202Espace';
  void questions.ask({ provider: aProviderId('openai'), turns: 100, failure, signal: controller.signal });
  expect(screenText(questions.rows())).toBe(
    '! openai stopped at deploy: no<U+202E>space. Continue?  [y] yes  [n] stop',
  );
});

test('sessions are handled one at a time, and a key typed for the first never answers the second', async () => {
  const { clock, questions, ask } = start();
  const both = [ask('openai'), ask('anthropic')];
  await clock.advance(400);
  expect([questions.press(n), questions.press(y)]).toEqual([true, false]);
  await clock.advance(400);
  questions.press(y);
  expect(await Promise.all(both)).toEqual([0, MORE_TURNS]);
});

test('a prompt answered elsewhere, or over, closes and can’t be answered here', async () => {
  const { questions, ask, controller } = start();
  const more = ask('openai');
  controller.abort();
  expect(await more).toBeNull();
  expect(await ask('openai')).toBeNull();
  expect(questions.rows()).toEqual([]);
});
