import * as fc from 'fast-check';
import { applyPatch } from 'diff';
import { expect, test } from 'vitest';
import { countLineChanges, countLines, unifiedDiff } from './line-changes.ts';

const texts = fc
  .array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 30 })
  .chain((lines) => fc.boolean().map((final) => lines.join('\n') + (final ? '\n' : '')));

test('added and removed lines account for the lengths of both texts', () => {
  fc.assert(
    fc.property(texts, texts, (before, after) => {
      const { linesAdded, linesRemoved } = countLineChanges(before, after);
      expect(countLines(before) - linesRemoved + linesAdded).toBe(countLines(after));
    }),
  );
});

test('the diff turns one text into the other', () => {
  fc.assert(
    fc.property(texts, texts, (before, after) => {
      const hunks = unifiedDiff(before, after, { maxLines: 10_000 });
      const patched =
        hunks.length === 0 ? before : applyPatch(before, ['--- a', '+++ b', ...hunks, ''].join('\n'));
      expect(patched).toBe(after);
    }),
  );
});

test('a long diff is cut to its bound and says how much is missing', () => {
  const after = Array.from({ length: 100 }, (_, line) => `${line}\n`).join('');
  const hunks = unifiedDiff('', after, { maxLines: 60 });
  expect(hunks).toHaveLength(60);
  expect(hunks.at(-1)).toBe('… 42 more lines of difference');
});

test('completely different texts are counted without a long search', () => {
  const many = (word: string) => Array.from({ length: 40_000 }, (_, line) => `${word}${line}`).join('\n');
  const before = process.threadCpuUsage();
  expect(countLineChanges(many('a'), many('b'))).toEqual({ linesAdded: 40_000, linesRemoved: 40_000 });
  // Our own CPU time, so other load on the machine doesn't count.
  expect(process.threadCpuUsage(before).user / 1000).toBeLessThan(5000);
});
