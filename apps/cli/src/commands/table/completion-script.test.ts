import { spawn, spawnSync } from 'node:child_process';
import { on, once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
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
  expect(complete('signalbox', 'st')).toEqual(['status', 'stats', 'stop']);
  expect(complete('signalbox', 'run', '--un')).toEqual(['--until', '--unconfined']);
  expect(complete('signalbox', '-C', 'shop', 'audit', 'v')).toEqual(['verify']);
});

/** A program that replaces ours, always gives the same answer, and stores its arguments. */
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

test('bash queries the program for ids, inserts only ids, and lists their descriptions', () => {
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

test.skipIf(isMissing('fish'))('fish queries the program for ids, and shows their descriptions', () => {
  using program = standIn();
  const line = `${completionScript('fish')}set -x PATH ${program.path.replaceAll(':', ' ')}\ncomplete -C 'signalbox -C shop approve '\n`;
  expect(sourced(['fish', '--no-config'], line)).toBe('p9ze\tdeepseek bash $(touch no)\nk7f3\topenai');
  expect(program.asked()).toBe('completion|--ids|signalbox -C shop approve |');
});

test('every shell has a script that names every subcommand', () => {
  for (const shell of ['bash', 'zsh', 'fish'] as const) expect(completionScript(shell)).toContain('approve');
});

/** Output of a shell without user configuration for this script. */
function sourced(argv: readonly [string, ...string[]], script: string): string {
  const [shell, ...flags] = argv;
  const { stdout, stderr } = spawnSync(shell, [...flags, '-c', script], { encoding: 'utf8' });
  expect(stderr).toBe('');
  return stdout.trim();
}

function isMissing(shell: string): boolean {
  return spawnSync(shell, ['-c', 'true']).error !== undefined;
}

test.skipIf(isMissing('fish'))(
  'fish sources its script, and completes subcommands, words and values of flags',
  () => {
    const ask = (line: string): string =>
      sourced(['fish', '--no-config'], `${completionScript('fish')}complete -C '${line}'\n`);
    expect(ask('signalbox -C shop lea')).toBe('leases\tHeld resources');
    expect(ask('signalbox --color never audit v')).toBe('verify');
    expect(ask('signalbox token create --role v')).toMatch(/^viewer\t/);
    expect(ask('signalbox token --js')).toBe('--json\tPrint the answer as JSON');
  },
);

/** What reaches the program when a user types this at a terminal, with Tab. */
async function typed(shell: 'bash' | 'zsh', keys: string): Promise<string> {
  using program = standIn();
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-typed-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const script = join(folder, 'script');
  writeFileSync(script, completionScript(shell));
  const [argv, setUp] = {
    bash: ['bash --noprofile --norc -i', `bind 'set bell-style none'`],
    zsh: ['zsh -f -i', 'autoload -U compinit; compinit -u -D'],
  }[shell];
  const terminal = spawn('/usr/bin/script', ['--quiet', '--command', argv ?? '', '/dev/null'], {
    env: { PATH: program.path, HOME: folder, TERM: 'dumb', HISTFILE: '/dev/null' },
  });
  const ended = once(terminal, 'exit');
  terminal.stdin.write(`${setUp}; source ${script}; echo ready-$((6 * 7))\n`);
  await heard(terminal.stdout, 'ready-42');
  terminal.stdin.write(`${keys}\necho done-$((6 * 7)); exit\n`);
  await heard(terminal.stdout, 'done-42');
  await ended;
  return program.asked();
}

async function heard(output: Readable, text: string): Promise<void> {
  let all = '';
  for await (const [chunk] of on(output, 'data', { close: ['end'] }) as AsyncIterable<[Buffer]>) {
    all += chunk.toString('latin1');
    if (all.includes(text)) return;
  }
  throw new Error(`it left: ${all}`);
}

for (const shell of ['bash', 'zsh'] as const) {
  // On other systems `script`, which makes the terminal, has different flags.
  test.skipIf(process.platform !== 'linux' || isMissing(shell))(
    `Tab completes input in ${shell}`,
    async () => {
      expect(await typed(shell, 'signalbox -C shop leas\trevo\tp9\t--mess\tx')).toBe(
        '-C|shop|leases|revoke|p9ze|--message|x|',
      );
    },
  );
}
