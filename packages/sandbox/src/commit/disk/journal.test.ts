import { mkdirSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { beginJournal, endJournal, type Journal, readJournal } from './journal.ts';
import { commitsOfCommand } from '../kept/kept-commits.ts';
import { recoverCommits } from '../recover.ts';

const JOURNAL: Journal = { commandId: 'cmd_a', entries: [] };

let state: string;
let folder: string;
beforeEach(() => {
  state = mkdtempSync(join(tmpdir(), 'signalbox-'));
  folder = join(state, 'commits/cmd_a.1');
  mkdirSync(folder, { recursive: true });
});
afterEach(() => rmSync(state, { recursive: true, force: true }));

test('a journal cut short by a power cut counts as not begun, wherever it is cut', async () => {
  await beginJournal(folder, JOURNAL);
  const { length } = readFileSync(join(folder, 'swapping.json'));
  for (let bytes = length - 1; bytes >= 0; bytes--) {
    truncateSync(join(folder, 'swapping.json'), bytes);
    expect(await readJournal(folder, 'swapping')).toBe(null);
  }
  expect(await recoverCommits(state)).toEqual([]);
});

test('a commit without its record of what it left can be neither undone nor rolled back', async () => {
  await beginJournal(folder, JOURNAL);
  await endJournal(folder, { left: { a: null } });
  expect(await commitsOfCommand(join(state, 'commits'), 'cmd_a')).toMatchObject([
    { journal: { left: { a: null } } },
  ]);
  writeFileSync(join(folder, 'left.json'), '');
  expect(await commitsOfCommand(join(state, 'commits'), 'cmd_a')).toEqual([]);
  expect(await recoverCommits(state)).toEqual([]);
});
