import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createPipes } from '../output/output-pipe.ts';
import { openInitPipes } from './init-pipes.ts';

test.runIf(process.platform === 'linux')('if too few pipes can be created, none stays open', () => {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const pipes = createPipes(folder);
  let left = 5;
  const fewer = { ...pipes, open: () => (left-- > 0 ? pipes.open() : null) };
  pipes.open();
  const before = readdirSync('/proc/self/fd').length;
  const spare = pipes.spare();
  expect(() => openInitPipes(fewer)).toThrow('no pipes can be made');
  // Each of the five was held by one descriptor, which is closed along with both ends.
  expect(pipes.spare()).toBe(spare - 5);
  expect(readdirSync('/proc/self/fd').length).toBe(before - 5);
});
