import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { folderToAdd } from './demo.ts';

const made: string[] = [];

afterEach(() => {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true });
});

function aFolder(...names: readonly string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-path-'));
  made.push(folder);
  for (const name of names) writeFileSync(join(folder, name), '');
  return folder;
}

test('a user whose PATH lacks signalbox is told which folder to add', () => {
  const bin = aFolder('signalbox');
  expect(folderToAdd(aFolder('node'), bin)).toBe(bin);
  expect(folderToAdd(undefined, bin)).toBe(bin);
});

test('a user who can type signalbox already is told nothing', () => {
  expect(folderToAdd(`${aFolder('node')}:${aFolder('signalbox')}`, aFolder('signalbox'))).toBeNull();
});

test('a packaged program, which has no such folder, names none', () => {
  expect(folderToAdd(aFolder('node'), aFolder())).toBeNull();
});

test('a checkout finds its own folder', () => {
  expect(folderToAdd('')).toMatch(/\/bin$/);
});
