import type { Embedder, Vector } from '@signalbox/core';
import { createManualClock, createMemoryFacts, createMemoryLogger } from '@signalbox/core/testing';
import { expect, test } from 'vitest';
import { candidatesOf, offerTool } from './testing/offer-tools.ts';
import { createToolSimilarities } from './tool-similarities.ts';

const TOOLS = candidatesOf([offerTool('near'), offerTool('far')]);

/** An embedding server that answers with these vectors, by the first word of a text. */
function setUp(answers: (text: string) => Vector | Promise<never>) {
  const clock = createManualClock();
  const logger = createMemoryLogger();
  const facts = createMemoryFacts();
  const requests: (readonly string[])[] = [];
  const embedder: Embedder = {
    id: 'some model',
    embed(texts) {
      requests.push(texts);
      return Promise.all(texts.map(async (text) => answers(text)));
    },
  };
  const create = () => createToolSimilarities({ embedder, facts, clock, logger });
  const similarities = create();
  const ranked = async (query = 'go there') => {
    const found = await similarities.of({ text: query }, TOOLS);
    return found === null
      ? null
      : Object.fromEntries([...found].map(([name, value]) => [name, value.toFixed(1)]));
  };
  const warnings = (): number => logger.lines.filter((line) => line.level === 'warn').length;
  return { clock, logger, facts, requests, create, ranked, warnings };
}

const words: Readonly<Record<string, Vector>> = { go: [1, 0], near: [2, 0], far: [0, 5] };
const byWord = (text: string): Vector => words[/\w+/.exec(text)?.[0] ?? ''] ?? [];

test('tools are as similar as their vectors, which are requested once and stored (S001-73)', async () => {
  const own = setUp(byWord);
  expect(await own.ranked()).toEqual({ near: '1.0', far: '0.0' });
  expect(await own.ranked()).toEqual({ near: '1.0', far: '0.0' });
  expect(own.requests.flat().length).toBe(3);
  const next = own.create();
  expect(await next.stored()).toBe(2);
  expect((await next.of({ text: 'go there' }, TOOLS))?.get('near')).toBeCloseTo(1, 5);
  // The next start requests only the vector of the task.
  expect(own.requests.slice(2).flat()).toEqual(['go there']);
});

test('a tool without a usable vector is missing, and not requested again (S001-74)', async () => {
  const hostile: readonly Vector[] = [[], [0, 0], [NaN, 1], [Infinity, 1], [1e308, 1e308], [1, 2, 3]];
  for (const vector of hostile) {
    const own = setUp((text) => (text.startsWith('far') ? vector : byWord(text)));
    expect(await own.ranked()).toEqual({ near: '1.0' });
    const before = own.requests.flat().filter((text) => text.startsWith('far')).length;
    expect(await own.ranked()).toEqual({ near: '1.0' });
    expect(own.requests.flat().filter((text) => text.startsWith('far')).length).toBe(before);
  }
});

test('a dead server costs one try a minute, and one warning (S001-80)', async () => {
  const own = setUp(() => Promise.reject(new Error('connection refused')));
  expect(await own.ranked()).toBeNull();
  const tries = own.requests.length;
  expect(await own.ranked()).toBeNull();
  expect([own.requests.length, own.warnings()]).toEqual([tries, 1]);
  await own.clock.advance(60_000);
  expect(await own.ranked()).toBeNull();
  expect(own.requests.length).toBeGreaterThan(tries);
  expect(own.warnings()).toBe(1);
});

test('a turn waits 5 seconds at most for a server that hangs (S001-80)', async () => {
  const own = setUp(() => new Promise<never>(() => undefined));
  let answered: unknown;
  void own.ranked().then((found) => (answered = found));
  await own.clock.advance(4900);
  expect(answered).toBeUndefined();
  await own.clock.advance(700);
  expect(answered).toBeNull();
});

test('a server that is slow with the tools delays a turn no longer, and what it knew is used', async () => {
  const own = setUp((text) => (text.startsWith('go') ? [1, 0] : new Promise<never>(() => undefined)));
  let answered: unknown;
  void own.ranked().then((found) => (answered = found));
  await own.clock.advance(5600);
  expect(answered).toEqual({});
});

test('nothing is requested for a task without words', async () => {
  const own = setUp(byWord);
  expect(await own.ranked('  ')).toBeNull();
  expect(own.requests).toEqual([]);
});
