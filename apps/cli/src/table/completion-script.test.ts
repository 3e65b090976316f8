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

/** What a shell without anybody's settings prints for this script. */
function sourced(argv: readonly [string, ...string[]], script: string): string {
  const [shell, ...flags] = argv;
  const { stdout, stderr } = spawnSync(shell, [...flags, '-c', script], { encoding: 'utf8' });
  expect(stderr).toBe('');
  return stdout.trim();
}

function isMissing(shell: string): boolean {
  return spawnSync(shell, ['-c', 'true']).error !== undefined;
}

test.skipIf(isMissing('fish'))('fish sources its script and completes subcommands from it', () => {
  const script = `${completionScript('fish')}complete -C 'signalbox lea'\n`;
  expect(sourced(['fish', '--no-config'], script)).toContain('leases');
});

test.skipIf(isMissing('zsh'))('zsh sources its script and knows its function', () => {
  const script = completionScript('zsh').replace('_signalbox "$@"', '');
  expect(sourced(['zsh', '-f'], `${script}\nwhence -w _signalbox\n`)).toBe('_signalbox: function');
});
