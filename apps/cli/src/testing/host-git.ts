import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** The layers in which git has to work and to be safe, with the settings that choose them. */
export const LAYERS = [
  ['overlay', {}],
  ['bind', { tools: { shell: { transactional: false } } }],
] as const;

/** Git's output for the user, outside of every sandbox, with its own home folder. */
export function hostGit(cwd: string, ...args: readonly string[]): string {
  const home = mkdtempSync(join(tmpdir(), 'signalbox-home-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const who = ['-c', 'user.name=A', '-c', 'user.email=a@example.com'];
  const env = { PATH: process.env['PATH'], HOME: home };
  return spawnSync('git', [...who, ...args], { cwd, env, encoding: 'utf8' }).stdout;
}
