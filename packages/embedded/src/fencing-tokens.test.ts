import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from './database.ts';
import { createFacts } from './facts.ts';
import { createFencingTokens } from './fencing-tokens.ts';

test('fencing tokens keep growing after a restart', async () => {
  const folder = await someFolder();
  const first = open(folder);
  expect([first.next(), first.next(), first.next()]).toEqual([1, 2, 3]);
  first.close();
  expect(open(folder).next()).toBe(4);
});

test('after a crash no fencing token is issued twice, however many were issued before', async () => {
  const folder = await someFolder();
  let last = 0;
  for (let crash = 0; crash < 4; crash++) {
    const tokens = open(folder);
    for (let n = 0; n < 700 * crash + 1; n++) {
      const token = tokens.next();
      expect(token).toBeGreaterThan(last);
      last = token;
    }
  }
});

test('a start that issues no token uses up none', async () => {
  const folder = await someFolder();
  open(folder).next();
  const before = open(folder).next();
  for (let n = 0; n < 10; n++) open(folder);
  expect(open(folder).next() - before).toBeLessThanOrEqual(1000);
});

async function someFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'signalbox-fencing-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

/** A database left open by a crashed process does not block the next: it holds no lock. */
function open(folder: string) {
  const database = openDatabase(folder);
  onTestFinished(() => database.close());
  return createFencingTokens(createFacts(database));
}
