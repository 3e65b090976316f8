import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { searchOutput, type OutputMatch } from './search-output.ts';

async function* inChunks(text: string, size: number): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

const find = (text: string, output: string, { size = 7 }: Readonly<{ size?: number }> = {}) =>
  searchOutput(inChunks(output, size), { text, from: 0, line: 1, limit: 500 });

test('each line that contains the text is found with its number and its first byte, ignoring case', async () => {
  expect(await find('FAIL', 'ok é\n\u001B[31mFa\u001B[0mil: é\nok\nfails')).toEqual({
    matches: [
      { at: 6, line: 2, text: 'Fail: é' },
      { at: 27, line: 4, text: 'fails' },
    ],
    next: null,
  });
});

test('a line with an unclosed escape sequence does not slow the search down', async () => {
  const { matches } = await find('needle', `\u001B[${'!'.repeat(250_000)}\nneedle`, { size: 64 * 1024 });
  expect(matches).toMatchObject([{ line: 2, text: 'needle' }]);
});

test('of a long line only the part around the match is returned', async () => {
  const { matches } = await find('needle', `${'x'.repeat(5000)}needle${'y'.repeat(5000)}`, { size: 1000 });
  expect(matches[0]?.text).toMatch(/^…x+needley+…$/);
  expect(matches[0]?.text.length).toBe(242);
});

test('page by page and in any chunks, every match is found once and in order', async () => {
  const lines = fc.array(fc.constantFrom('one', 'two hit', 'ünï hit', '', 'hithit'), { maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(
      lines,
      fc.integer({ min: 1, max: 30 }),
      fc.integer({ min: 1, max: 5 }),
      async (all, size, limit) => {
        const output = all.join('\n');
        const bytes = Buffer.from(output);
        const found: OutputMatch[] = [];
        let offset: { from: number; line: number } | null = { from: 0, line: 1 };
        while (offset !== null) {
          const chunks = inChunks(bytes.subarray(offset.from).toString(), size);
          const page = await searchOutput(chunks, { text: 'hit', ...offset, limit });
          found.push(...page.matches);
          offset = page.next;
        }
        expect(found.map(({ line }) => line)).toEqual(
          all.flatMap((text, at) => (text.includes('hit') ? [at + 1] : [])),
        );
        for (const { at, line } of found) {
          expect(bytes.subarray(at).toString().split('\n')[0]).toBe(all[line - 1]);
        }
      },
    ),
  );
});
