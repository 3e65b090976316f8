import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { longSignaturesOf } from './positional-arguments.ts';

test('a function takes at most two positional arguments, and a third only as an object or a callback', () => {
  const files = execFileSync('git', ['ls-files', '*.ts', '*.tsx'], { encoding: 'utf8' })
    .split('\n')
    .filter((path) => path !== '' && !path.endsWith('.d.ts'))
    .map((path) => ({ path, text: readFileSync(path, 'utf8') }));
  const found = longSignaturesOf(files);
  expect(found.map(({ path, name, count }) => `${path}: ${name} (${count})`)).toEqual([]);
});

test.each([
  ['function f(a: string, b: string, c: number) {}'],
  ['const f = (a: string, b: string, c: boolean) => a;'],
  ['function f(a: string, b: string, c = 1) {}'],
  ['function f(a: object, b: object, c?: readonly string[]) {}'],
  ['type Mode = "a" | "b"; function f(a: string, b: string, mode: Mode) {}'],
  ['type Port = { f(a: string, b: string, c: string | null): void };'],
  ['type Port = { readonly f: (a: string, b: string, c: string) => void };'],
  ['function f(a: string, b: string, c: object, d: object) {}'],
])('a call of %s does not say what it passes', (text) => {
  expect(longSignaturesOf([{ path: 'a.ts', text }])).toHaveLength(1);
});

test.each([
  ['function f(a: string, b: string) {}'],
  ['function f(a: string, b: string, { c }: { c: number }) {}'],
  ['function f(a: string, b: string, signal?: AbortSignal) {}'],
  ['function f(a: string, b: string, then: () => void) {}'],
  ['function f(a: string, b: string, ...rest: string[]) {}'],
  ['list.reduce((sum: number, one: number, index: number) => sum + one + index, 0);'],
])('%s is fine', (text) => {
  expect(longSignaturesOf([{ path: 'a.ts', text }])).toEqual([]);
});
