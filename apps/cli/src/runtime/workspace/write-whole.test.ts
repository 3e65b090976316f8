import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { writeWhole } from './write-whole.ts';

function aFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-whole-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

test('a file is written into a folder created for it, and over an existing file', () => {
  const file = join(aFolder(), 'new', 'a.yaml');
  writeWhole(file, 'first');
  writeWhole(file, 'second');
  expect(readFileSync(file, 'utf8')).toBe('second');
});

test('a file that can not be replaced leaves no half-written draft', () => {
  const folder = aFolder();
  const file = join(folder, 'a.yaml');
  mkdirSync(file);
  // Left by a killed process.
  writeFileSync(`${file}.draft`, 'cut sh');
  expect(() => writeWhole(file, 'theirs')).toThrow('EISDIR');
  expect(readdirSync(folder)).toEqual(['a.yaml']);
});
