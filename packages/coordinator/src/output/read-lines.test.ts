import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { lastLines, linesFrom } from './read-lines.ts';

async function* inChunks(text: string, size = 7): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

const from = (
  text: string,
  firstLine: number,
  { maxLines, size }: Readonly<{ maxLines: number; size?: number }>,
) => linesFrom(inChunks(text, size), { firstLine, maxLines });

test('lines are returned from any line on, with where to continue', async () => {
  const text = 'one\ntwo\r\nthree\nfour\n';
  expect(await from(text, 2, { maxLines: 2 })).toEqual({
    lines: [
      { line: 2, text: 'two' },
      { line: 3, text: 'three' },
    ],
    nextLine: 4,
    totalLines: null,
  });
  expect(await from(text, 4, { maxLines: 2 })).toEqual({
    lines: [{ line: 4, text: 'four' }],
    nextLine: null,
    totalLines: 4,
  });
  expect(await from(text, 9, { maxLines: 2 })).toEqual({ lines: [], nextLine: null, totalLines: 4 });
  expect(await from('', 1, { maxLines: 2 })).toEqual({ lines: [], nextLine: null, totalLines: 0 });
});

test('the last lines are returned with their numbers, including an unfinished one', async () => {
  expect(await lastLines(inChunks('a\nb\nc'), 2)).toEqual({
    lines: [
      { line: 2, text: 'b' },
      { line: 3, text: 'c' },
    ],
    nextLine: null,
    totalLines: 3,
  });
  expect((await lastLines(inChunks(''), 2)).lines).toEqual([]);
});

test('an answer stays below 25,000 characters, whatever the lines', async () => {
  const long = `${'é'.repeat(50_000)}\n`.repeat(9);
  const read = await from(long, 1, { maxLines: 2000, size: 65_536 });
  expect(read.lines[0]?.text).toMatch(/^é{4000} \[… line of 100000 bytes; search finds text inside it\]$/);
  expect(read.nextLine).toBe(read.lines.length + 1);
  const tail = await lastLines(inChunks(long, 65_536), 2000);
  for (const { lines } of [read, tail]) {
    const characters = lines.reduce((sum, { text }) => sum + text.length + 1, 0);
    expect(lines.length).toBeGreaterThan(2);
    expect(characters).toBeLessThan(25_000);
  }
  expect(tail.lines.at(-1)?.line).toBe(9);
});

test('page by page and in any chunks, every line is returned once and in order', async () => {
  const line = fc.constantFrom('', 'one', 'ünï', '🚦 two');
  await fc.assert(
    fc.asyncProperty(
      fc.array(line, { maxLength: 30 }),
      fc.integer({ min: 1, max: 20 }),
      fc.integer({ min: 1, max: 6 }),
      async (all, size, maxLines) => {
        const text = all.map((one) => `${one}\n`).join('');
        const given: string[] = [];
        let next: number | null = 1;
        while (next !== null) {
          const page: Awaited<ReturnType<typeof from>> = await from(text, next, { maxLines, size });
          given.push(...page.lines.map((one) => one.text));
          next = page.nextLine;
        }
        expect(given).toEqual(all);
        const tail = await lastLines(inChunks(text, size), maxLines);
        expect(tail.lines.map((one) => one.text)).toEqual(all.slice(-maxLines));
      },
    ),
  );
});
