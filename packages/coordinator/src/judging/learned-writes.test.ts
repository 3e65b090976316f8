import { type Claim, defineTool, pathResource, type Tool, writeClaim } from '@signalbox/core';
import { aCall, aCommandRecord, createMemoryFacts, createMemoryLogger } from '@signalbox/core/testing';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { createLearnedWrites, type LearnedWrites } from './learned-writes.ts';

const shell: Tool = defineTool({
  name: 'shell',
  description: 'Runs a line',
  requestKind: 'bash',
  category: 'execute',
  risk: 'high',
  args: z.unknown(),
  describe: () => 'x',
  shellLine: (args) => args as { line: string },
  effects: () => [],
  handle: async () => ({ output: null }),
});
const calls = (line: string, cwd?: string) =>
  aCommandRecord({ call: aCall({ tool: 'shell', args: cwd === undefined ? { line } : { line, cwd } }) });
const on = (...paths: string[]): Claim[] => paths.map((path) => writeClaim(pathResource(path)));
const start = (facts = createMemoryFacts()): LearnedWrites =>
  createLearnedWrites({ facts, lines: { tests: null, lint: null }, logger: createMemoryLogger() });

test('a line is recognised by its text and its folder, even by the next process (S003-14)', async () => {
  const facts = createMemoryFacts();
  const learned = start(facts);
  learned.learn(calls('sh x.sh'), shell, { claims: on('a', 'b') });
  expect(learned.of(calls('sh x.sh'), shell)).toEqual(on('a', 'b'));
  expect(learned.of(calls('sh x.sh', 'sub'), shell)).toEqual([]);
  await expect.poll(() => facts.get('learned-writes')).toHaveLength(1);
  const next = start(facts);
  await next.loaded;
  expect(next.of(calls('sh x.sh'), shell)).toEqual(on('a', 'b'));
});

test('a line with very many writes does not claim them at its next start', () => {
  const learned = start();
  learned.learn(calls('make'), shell, { claims: on(...Array.from({ length: 33 }, (_, n) => `f${n}`)) });
  expect(learned.of(calls('make'), shell)).toEqual([]);
});

test('the 200 lines learned last are kept', async () => {
  const facts = createMemoryFacts();
  const lines = Array.from({ length: 201 }, (_, n) => `sh ${n}.sh`);
  await facts.set(
    'learned-writes',
    lines.slice(0, 200).map((line) => [line, []]),
  );
  const learned = start(facts);
  await learned.loaded;
  learned.learn(calls('sh new.sh'), shell, { claims: on('a') });
  await expect.poll(() => facts.get('learned-writes')).toContainEqual([expect.any(String), on('a')]);
  const stored = (await facts.get('learned-writes')) as [string, unknown][];
  expect(stored).toHaveLength(200);
  expect(stored[0]?.[0]).toBe('sh 1.sh');
});
