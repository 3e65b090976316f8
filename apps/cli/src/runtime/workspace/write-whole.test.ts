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

test('a file is written in a folder that is made for it, and over one that stands there', () => {
  const file = join(aFolder(), 'new', 'a.yaml');
  writeWhole(file, 'first');
  writeWhole(file, 'second');
  expect(readFileSync(file, 'utf8')).toBe('second');
});

test('what can not be put in its place leaves nothing half beside it', () => {
  const folder = aFolder();
  const file = join(folder, 'a.yaml');
  mkdirSync(file);
  // Of a process that was killed.
  writeFileSync(`${file}.draft`, 'cut sh');
  expect(() => writeWhole(file, 'theirs')).toThrow('EISDIR');
  expect(readdirSync(folder)).toEqual(['a.yaml']);
});
