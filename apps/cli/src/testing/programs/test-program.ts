import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { inject, vi } from 'vitest';
import type { TestProgramName } from './build-test-programs.ts';

const BUILD = join(import.meta.dirname, 'build-test-programs.ts');

/**
 * The file of a program that tests start many times: bundled it starts in a third of the time. The first call of a run
 * builds them all, and the other test processes wait for it.
 */
export async function testProgram(name: TestProgramName): Promise<string> {
  const folder = inject('testPrograms');
  const done = join(folder, 'package.json');
  const isFirst = mkdirSync(folder, { recursive: true }) !== undefined;
  if (isFirst) await execa(process.execPath, [BUILD, folder]);
  await vi.waitFor(() => {
    if (!existsSync(done)) throw new Error('the test programs are not built');
  }, 120_000);
  return join(folder, `${name}.js`);
}
