import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';

const dist = new URL('../dist/', import.meta.url);
/** Limit for everything the browser needs before the first page, except fonts; in bytes. */
const MAX_BYTES = 200_000;

test('the first page weighs less than 200 kB gzip', () => {
  const html = readFileSync(new URL('index.html', dist), 'utf8');
  const files = [...html.matchAll(/(?:src|href)="\/(assets\/[^"]+)"/g)].map(([, file]) => file ?? '');
  expect(files.some((file) => file.endsWith('.js'))).toBe(true);
  expect(files.some((file) => file.endsWith('.css'))).toBe(true);
  const bytes = ['index.html', ...files].map((file) => gzipSync(readFileSync(new URL(file, dist))).length);
  expect(bytes.reduce((sum, of) => sum + of, 0)).toBeLessThan(MAX_BYTES);
});

test('the page contains no inline script or style, as its content policy demands', () => {
  const html = readFileSync(new URL('index.html', dist), 'utf8');
  expect(html).not.toMatch(/<script(?![^>]*\ssrc=)|<style|\son[a-z]+=|https?:/);
});
