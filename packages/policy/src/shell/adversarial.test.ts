import { readFileSync } from 'node:fs';
import { isAtLeast, Level } from '@signalbox/core';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { classifyLine } from './classify-line.ts';

function rowsOf<Schema extends z.ZodType>(file: string, schema: Schema): readonly z.infer<Schema>[] {
  const text = readFileSync(new URL(`../../corpus/${file}`, import.meta.url), 'utf8');
  return text
    .trimEnd()
    .split('\n')
    .map((line) => schema.parse(JSON.parse(line)));
}

describe('lines that hide their effects (S001-14, X-30)', () => {
  const rows = rowsOf('adversarial.jsonl', z.object({ line: z.string(), atLeast: Level }));

  test.each(rows.map(({ line, atLeast }) => [line, atLeast] as const))(
    '%j is at least %s',
    (line, atLeast) => {
      const { level } = classifyLine(line, { cwd: '/repo' });
      expect({ level, ok: isAtLeast(level, atLeast) }).toEqual({ level, ok: true });
    },
  );

  test('are many', () => {
    expect(rows.length).toBeGreaterThanOrEqual(150);
  });
});

describe('everyday lines', () => {
  const rows = rowsOf('everyday.jsonl', z.object({ line: z.string(), level: Level }));

  test.each(rows.map(({ line, level }) => [line, level] as const))('%j is %s', (line, level) => {
    expect(classifyLine(line, { cwd: '/repo' }).level).toBe(level);
  });
});
