import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { watchFolder } from './watch-folder.ts';

test('a missing folder is watched as soon as it exists, including its content by then', async () => {
  const root = mkdtempSync(join(tmpdir(), 'signalbox-watch-'));
  const folder = join(root, 'a', 'b');
  const heard: (string | null)[] = [];
  let waiting = Promise.withResolvers<void>();
  const stop = watchFolder(folder, false, (name) => {
    heard.push(name);
    waiting.resolve();
  });
  onTestFinished(() => {
    stop();
    rmSync(root, { recursive: true, force: true });
  });
  mkdirSync(folder, { recursive: true });
  await waiting.promise;
  expect(heard).toContain(null);
  waiting = Promise.withResolvers();
  heard.length = 0;
  writeFileSync(join(folder, 'config.yaml'), '');
  await waiting.promise;
  expect(heard).toContain('config.yaml');
});

test('nothing is reported after it was stopped', async () => {
  const root = mkdtempSync(join(tmpdir(), 'signalbox-watch-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const reported: unknown[] = [];
  const other = Promise.withResolvers<void>();
  const stop = watchFolder(join(root, 'a'), false, (name) => reported.push(name));
  const stopOther = watchFolder(root, false, () => other.resolve());
  stop();
  mkdirSync(join(root, 'a'));
  await other.promise;
  stopOther();
  expect(reported).toEqual([]);
});
