import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { lacksProgram } from './lacks-program.ts';

let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'signalbox-')));
  for (const folder of ['work/tools', 'bin']) mkdirSync(join(root, folder), { recursive: true });
  symlinkSync('work/tools', join(root, 'link'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

test.each([
  ['bin', false],
  ['bin:work-other', false],
  ['bin:work/tools', true],
  ['work/not/yet:bin', true],
  ['bin/../work/not-yet', true],
  ['work', true],
  ['link', true],
])('a program may be created in the folders %s: %s', async (folders, mayBeMade) => {
  const path = folders.split(':').map((folder) => `${root}/${folder}`);
  expect(
    await lacksProgram('frob', {
      path: path.join(':'),
      home: join(root, 'home'),
      workspace: join(root, 'work'),
    }),
  ).toEqual({ meant: undefined, mayBeMade });
});
