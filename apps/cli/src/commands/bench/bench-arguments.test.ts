import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createTestTerminal } from '../../testing/test-context.ts';

const REFUSED: readonly (readonly [argv: string, says: string])[] = [
  ['--agents 0', '--agents: must be at least 1'],
  ['--places 2000', '--places: must be at most 1000'],
  ['--rate 0', '--rate: must be more than 0'],
  ['--seed 5000000000', '--seed: must be at most 4294967295'],
  ['--work 2m', '--work: must be at most 1m'],
  ['--work long', '--work: must be 0 or a length of time such as 20ms'],
  ['--hot 200%', '--hot: must be at most 100%'],
  ['--workers 2', '--redis URL lets several lead it'],
  ['--redis redis://127.0.0.1:1 --workers 2 --door mcp', 'whichever of them lives is called over HTTP'],
  ['--files 200000', '--files: must be at most 100000'],
  ['--save nowhere/a.json', 'there is no folder'],
  ['--save .', 'a folder stands there'],
  ['--report nowhere/a.html', 'there is no folder'],
];

test.for(REFUSED)('bench %s is refused before anything runs: %s', async ([argv, says]) => {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-bench-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const { signalbox } = createTestTerminal(folder);
  const { exit, out, talk } = await signalbox('bench', 'mixed', ...argv.split(' '));
  expect({ exit, out }).toEqual({ exit: 2, out: '' });
  expect(talk.replaceAll(/\s+/g, ' ')).toContain(says);
});
