import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { completionScript } from './completion-script.ts';

function complete(...words: readonly string[]): readonly string[] {
  const script = `${completionScript('bash')}
COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}
_signalbox; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout, stderr } = spawnSync('bash', ['--noprofile', '--norc', '-c', script], { encoding: 'utf8' });
  expect(stderr).toBe('');
  return stdout.trim().split('\n');
}

test('bash completes subcommands, their flags and the words of their arguments', () => {
  expect(complete('signalbox', 'st')).toEqual(['status', 'stats']);
  expect(complete('signalbox', 'run', '--un')).toEqual(['--until', '--unconfined']);
  expect(complete('signalbox', '-C', 'shop', 'audit', 'v')).toEqual(['verify']);
});

test('every shell has a script that names every subcommand', () => {
  for (const shell of ['bash', 'zsh', 'fish'] as const) expect(completionScript(shell)).toContain('approve');
});
