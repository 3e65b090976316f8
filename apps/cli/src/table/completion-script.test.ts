import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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

/** A program in the place of ours, which answers the same to everybody and says what it was asked. */
function standIn(): Disposable & { readonly path: string; asked(): string } {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-tab-'));
  const asked = join(folder, 'asked');
  const program = `#!/bin/sh\nprintf '%s|' "$@" > ${asked}\nprintf 'p9ze\\tdeepseek bash $(touch no)\\nk7f3\\topenai\\n'\n`;
  writeFileSync(join(folder, 'signalbox'), program, { mode: 0o755 });
  return {
    path: `${folder}:${process.env['PATH']}`,
    asked: () => readFileSync(asked, 'utf8'),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

test('bash asks the program for ids, inserts ids alone, and lists what they stand for', () => {
  using program = standIn();
  const press = (word: string, type: number): string =>
    sourced(
      ['bash', '--noprofile', '--norc'],
      `${completionScript('bash')}
PATH='${program.path}'; COMP_TYPE=${type}; COMP_LINE='signalbox approve ${word}'; COMP_POINT=\${#COMP_LINE}
COMP_WORDS=(signalbox approve '${word}'); COMP_CWORD=2; _signalbox; printf '%s\\n' "\${COMPREPLY[@]}"`,
    );
  expect(press('', 9)).toBe('p9ze\nk7f3');
  expect(program.asked()).toBe('completion|--ids|signalbox approve |');
  expect(press('', 63)).toBe('p9ze  deepseek bash $(touch no)\nk7f3  openai');
  expect(press('k', 63)).toBe('k7f3');
  expect(press('--al', 9)).toBe('--always');
});

test.skipIf(isMissing('fish'))('fish asks the program for ids, and says what they stand for', () => {
  using program = standIn();
  const line = `${completionScript('fish')}set -x PATH ${program.path.replaceAll(':', ' ')}\ncomplete -C 'signalbox -C shop approve '\n`;
  expect(sourced(['fish', '--no-config'], line)).toBe('p9ze\tdeepseek bash $(touch no)\nk7f3\topenai');
  expect(program.asked()).toBe('completion|--ids|signalbox -C shop approve |');
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
