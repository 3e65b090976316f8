import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { getDefaultEnvironment } from '@modelcontextprotocol/client/stdio';
import { execa } from 'execa';
import { inject } from 'vitest';
import { killProcesses } from './processes-of.ts';

/** Keys of the user's shell. The model server refuses all others. */
export const API_KEYS = {
  OPENAI_API_KEY: 'sk-outside-of-openai',
  ANTHROPIC_API_KEY: 'sk-ant-outside-of-anthropic',
} as const;

/** Someone with Signalbox on their PATH, and code of their own. */
export type User = Readonly<{
  /** Holds the workspaces and the user's settings. */
  folder: string;
  env: Readonly<Record<string, string>>;
  /** A new git workspace with these files. */
  workspace(name: string, files?: Readonly<Record<string, string>>): UserWorkspace;
  /** Ends what is left, and removes all of it. */
  leave(): void;
}>;

export type UserWorkspace = Readonly<{
  path: string;
  /** Text of a file; null if there is none. */
  text(file: string): string | null;
  write(file: string, text: string): void;
  /** Runs the program without a terminal. */
  signalbox(...argv: readonly string[]): ReturnType<typeof runProgram>;
  /** Runs it at a terminal, where every prompt is answered with Return; resolves to what the terminal showed. */
  atTerminal(...argv: readonly string[]): Promise<Readonly<{ exitCode: number | undefined; shown: string }>>;
}>;

type ProgramOptions = Readonly<{
  reject: false;
  stdin: 'ignore';
  extendEnv: false;
  cwd: string;
  env: Readonly<Record<string, string>>;
}>;

/** `[Y/n] `, `[u/a/n] `: the choices of a prompt. */
const PROMPT = /\[(?:\w\/)+\w\] /g;

/** A user whose shell finds a program named `signalbox` in that folder; default: the built one. */
export function openUser(bin?: string): User {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'signalbox-user-')));
  const env = {
    // Nothing else of the process that runs the tests.
    ...getDefaultEnvironment(),
    ...API_KEYS,
    PATH: [bin ?? withProgram(folder), dirname(process.execPath), process.env['PATH']].join(':'),
    XDG_CONFIG_HOME: join(folder, 'config'),
    XDG_STATE_HOME: join(folder, 'state'),
    TERM: 'xterm',
    NO_COLOR: '1',
    // Where the first call installs packages, they are in the store of the checkout that runs this test.
    npm_config_prefer_offline: 'true',
  };
  return {
    folder,
    env,
    workspace: (name, files = {}) => createWorkspace(join(folder, name), { files, env }),
    leave() {
      killProcesses(folder);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A folder with the built program, as an installed package has it. */
function withProgram(folder: string): string {
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  const line = `exec ${process.execPath} ${inject('program')} "$@"`;
  writeFileSync(join(bin, 'signalbox'), `#!/bin/sh\n${line}\n`, { mode: 0o755 });
  return bin;
}

function runProgram(argv: readonly string[], options: ProgramOptions) {
  return execa('signalbox', argv, options);
}

function createWorkspace(
  path: string,
  { files, env }: Readonly<{ files: Readonly<Record<string, string>>; env: User['env'] }>,
): UserWorkspace {
  execFileSync('git', ['init', '--quiet', path]);
  const options: ProgramOptions = { reject: false, stdin: 'ignore', extendEnv: false, cwd: path, env };
  const write = (file: string, text: string): void => {
    mkdirSync(dirname(join(path, file)), { recursive: true });
    writeFileSync(join(path, file), text);
  };
  for (const [file, text] of Object.entries(files)) write(file, text);
  return {
    path,
    write,
    text: (file) => (existsSync(join(path, file)) ? readFileSync(join(path, file), 'utf8') : null),
    signalbox: (...argv) => runProgram(argv, options),
    async atTerminal(...argv) {
      const line = ['signalbox', ...argv].join(' ');
      const child = execa('script', ['-qefc', line, '/dev/null'], { ...options, stdin: 'pipe' });
      let seen = '';
      let answered = 0;
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        seen += text;
        for (const asked = seen.match(PROMPT)?.length ?? 0; answered < asked; answered++)
          child.stdin.write('\r');
      });
      const { exitCode } = await child;
      return { exitCode, shown: seen };
    },
  };
}
