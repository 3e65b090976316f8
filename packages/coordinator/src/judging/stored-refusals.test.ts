import { createId, pathResource } from '@signalbox/core';
import { createMemoryFacts, createMemoryLogger, createSeededRandom } from '@signalbox/core/testing';
import { expect, test } from 'vitest';
import { createStoredRefusals } from './stored-refusals.ts';

const random = createSeededRandom(7);
const SESSION = createId('session', random);
const on = (path: string) => ({ resource: pathResource(path), refs: null, by: 'ana', at: 1 });
const open = (facts = createMemoryFacts()) => createStoredRefusals({ facts, logger: createMemoryLogger() });

test('a denial counts at once, and in the next process', async () => {
  const facts = createMemoryFacts();
  const first = open(facts);
  first.change(SESSION, (known) => [...known, on('a')]);
  first.change(SESSION, (known) => [...known, on('b')]);
  expect(first.of(SESSION)).toEqual([on('a'), on('b')]);
  await first.loaded;
  expect(first.of(SESSION)).toEqual([on('a'), on('b')]);
  const next = open(facts);
  await next.loaded;
  expect(next.of(SESSION)).toEqual([on('a'), on('b')]);
  expect(next.of(createId('session', random))).toEqual([]);
});

test('two coordinators of one workspace overwrite nothing of each other', async () => {
  const facts = createMemoryFacts();
  const [one, two] = [open(facts), open(facts)];
  await Promise.all([one.loaded, two.loaded]);
  one.change(SESSION, (known) => [...known, on('a')]);
  two.change(SESSION, (known) => [...known, on('b')]);
  await Promise.all([one.loaded, two.loaded]);
  const third = open(facts);
  await third.loaded;
  expect(
    third
      .of(SESSION)
      .map(({ resource }) => resource)
      .toSorted(),
  ).toEqual(['path:a', 'path:b']);
});

test('an approval that removes the last denial leaves nothing stored', async () => {
  const facts = createMemoryFacts();
  const own = open(facts);
  own.change(SESSION, () => [on('a')]);
  own.change(SESSION, () => []);
  await own.loaded;
  expect(await facts.get('refused-effects')).toEqual([]);
});

test('data stored by another version is ignored', async () => {
  const facts = createMemoryFacts();
  await facts.set('refused-effects', { odd: true });
  const own = open(facts);
  await own.loaded;
  expect(own.of(SESSION)).toEqual([]);
});
