import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createOutputStore, MAX_STREAMED_BYTES, MAX_SPILL_BYTES, MAX_STORED_BYTES } from './output-store.ts';

describe('the store of an output stream', () => {
  let folder: string;
  let spillFile: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'signalbox-'));
    spillFile = join(folder, 'output', 'cmd.stdout');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  async function store(chunks: readonly Buffer[]) {
    let heard = '';
    const output = createOutputStore({ spillFile, onText: (text) => (heard += text) });
    for (const chunk of chunks) await output.add(chunk);
    return { heard, stored: await output.end() };
  }

  test('output that fits is kept entirely, without a file', async () => {
    const text = 'x'.repeat(MAX_STORED_BYTES);
    const { stored } = await store([Buffer.from(text)]);
    expect(stored).toEqual({ text, totalBytes: MAX_STORED_BYTES, truncated: false });
    expect(existsSync(spillFile)).toBe(false);
  });

  test('output over the bound keeps head and tail, counts the omitted bytes, and spills the full text', async () => {
    const text = `${'a'.repeat(MAX_STORED_BYTES)}z`;
    const { stored } = await store([Buffer.from(text)]);
    expect(stored).toMatchObject({ totalBytes: MAX_STORED_BYTES + 1, truncated: true, spillFile });
    const left = Number(/\n\[… (\d+) bytes left out …\]\n/.exec(stored.text)?.[1]);
    expect(stored.text.replace(/\n\[….*…\]\n/, '')).toHaveLength(text.length - left);
    expect(stored.text.endsWith('az')).toBe(true);
    expect(readFileSync(spillFile, 'utf8')).toBe(text);
    expect(statSync(spillFile).mode & 0o777).toBe(0o600);
  });

  test('an incomplete spill file is removed', async () => {
    const chunk = Buffer.alloc(MAX_SPILL_BYTES / 4, 'x');
    const { stored } = await store([chunk, chunk, chunk, chunk, Buffer.from('!')]);
    expect(stored.spillFile).toBeUndefined();
    expect(stored.totalBytes).toBe(MAX_SPILL_BYTES + 1);
    expect(existsSync(spillFile)).toBe(false);
  });

  test.each([1, 1000, 65_536])(
    'a long text is reported from its start in whole characters, and its end is kept, in pieces of %i bytes',
    async (size) => {
      const bytes = Buffer.from('€'.repeat(Math.ceil(MAX_STREAMED_BYTES / 3) + 100_000));
      const first = bytes.subarray(0, MAX_STREAMED_BYTES - 10);
      const rest = bytes.subarray(first.length);
      const count = size === 1 ? 100 : Math.ceil(rest.length / size);
      const pieces = Array.from({ length: count }, (_, at) => rest.subarray(at * size, (at + 1) * size));
      const { heard, stored } = await store([first, ...pieces, rest.subarray(count * size)]);
      expect(Buffer.byteLength(heard)).toBeGreaterThanOrEqual(MAX_STREAMED_BYTES - 2);
      expect(Buffer.byteLength(heard)).toBeLessThan(MAX_STREAMED_BYTES + size);
      expect(heard).toMatch(/^€+$/);
      expect(stored).toMatchObject({ totalBytes: bytes.length, truncated: true });
      expect(stored.text).toMatch(/^€+\n\[… \d+ bytes left out …\]\n€+$/);
    },
  );

  test('binary output is kept within bounds too', async () => {
    const { stored } = await store([Buffer.alloc(MAX_STREAMED_BYTES + 1), Buffer.alloc(200_000, 0xff)]);
    expect(Buffer.byteLength(stored.text)).toBeLessThanOrEqual(MAX_STORED_BYTES);
    expect(stored.text.endsWith('\uFFFD')).toBe(true);
  });

  test('any text in any pieces is reported unchanged, and kept within bounds in whole characters', async () => {
    const character = fc.constantFrom('a', 'é', '€', '🚦', '\n');
    const run = fc.tuple(character, fc.integer({ min: 1, max: 40_000 }));
    await fc.assert(
      fc.asyncProperty(
        fc.array(run, { maxLength: 6 }),
        fc.integer({ min: 1, max: 70_000 }),
        async (runs, size) => {
          const text = runs.map(([piece, times]) => piece.repeat(times)).join('');
          const bytes = Buffer.from(text);
          const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
            bytes.subarray(index * size, (index + 1) * size),
          );
          // Tiny pieces of a long text take long and test nothing more.
          const { heard, stored } = await store(chunks.length > 2000 ? [bytes] : chunks);
          expect(heard).toBe(text);
          expect(Buffer.byteLength(stored.text)).toBeLessThanOrEqual(MAX_STORED_BYTES);
          expect(stored.text).not.toContain('\uFFFD');
          expect(stored.truncated).toBe(bytes.length > MAX_STORED_BYTES);
          const [head = '', tail = ''] = stored.text.split(/\n\[… \d+ bytes left out …\]\n/);
          expect(text.startsWith(head) && text.endsWith(tail)).toBe(true);
        },
      ),
      { numRuns: 40 },
    );
  });
});
