import { readFileSync } from 'node:fs';
import { isAtLeast, Level } from '@signalbox/core';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { classify } from './score-adapter.ts';

const Writes = z.union([z.array(z.string()), z.literal('unknown')]);

/** A labelled line: `level`, or any of `level_ok`; `writes`, or any of `writes_alt`. */
const Row = z.object({
  id: z.string(),
  command: z.string(),
  level: Level,
  level_ok: z.array(Level).optional(),
  writes: Writes,
  writes_alt: z.array(Writes).optional(),
  category: z.string(),
});
type Row = z.infer<typeof Row>;

const rows = readFileSync(new URL('../../corpus/public.jsonl', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => Row.parse(JSON.parse(line)));

/** Whether a predicted glob stands for the expected one: the same, everything, or a tree above it. */
function isCovered(expected: string, predicted: readonly string[]): boolean {
  return predicted.some(
    (glob) =>
      glob === expected ||
      glob === '**' ||
      (glob.endsWith('/**') && (expected === glob.slice(0, -3) || expected.startsWith(glob.slice(0, -2)))),
  );
}

function isSound(row: Row, predicted: readonly string[] | 'unknown'): boolean {
  if (predicted === 'unknown') return true;
  return [row.writes, ...(row.writes_alt ?? [])].some((writes) =>
    writes === 'unknown' ? predicted.includes('**') : writes.every((path) => isCovered(path, predicted)),
  );
}

function isExact(row: Row, predicted: readonly string[] | 'unknown'): boolean {
  return [row.writes, ...(row.writes_alt ?? [])].some((writes) =>
    writes === 'unknown' || predicted === 'unknown'
      ? writes === predicted
      : writes.length === predicted.length && writes.every((path) => predicted.includes(path)),
  );
}

describe('the public corpus', () => {
  const found = rows.map((row) => ({ row, ...classify(row.command, { cwd: '/repo' }) }));

  test('has no line that is called safe and is not', () => {
    const wrong = found.filter(
      ({ row, level }) => level === 'safe' && !(row.level_ok ?? [row.level]).includes('safe'),
    );
    expect(wrong.map(({ row }) => row.command)).toEqual([]);
  });

  test('gets a level between the mildest and the strictest that its labels allow, for every line', () => {
    const wrong = found.filter(({ row, level }) => {
      const allowed = row.level_ok ?? [row.level];
      return !allowed.some((one) => isAtLeast(level, one)) || !allowed.some((one) => isAtLeast(one, level));
    });
    expect(wrong.map(({ row, level }) => [row.command, level])).toEqual([]);
  });

  test('gets a write set that covers all that is written, for every line of resource inference', () => {
    const inferred = found.filter(({ row }) => row.category.startsWith('resource-inference'));
    expect(inferred.filter(({ row, writes }) => !isSound(row, writes)).map(({ row }) => row.command)).toEqual(
      [],
    );
    const exact = inferred.filter(({ row, writes }) => isExact(row, writes));
    expect(exact.length / inferred.length).toBeGreaterThanOrEqual(0.85);
  });
});
