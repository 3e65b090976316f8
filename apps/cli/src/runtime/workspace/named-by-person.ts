import { existsSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { CERTIFICATE_VARIABLES } from './certificate-variables.ts';

/** Keys of npm's configuration that name a program, code, or trusted certificates; without `-`, `_` and case. */
const NPM_KEYS = new Set([
  'cafile',
  'editor',
  'git',
  'globalconfig',
  'initmodule',
  'prefix',
  'python',
  'scriptshell',
  'shell',
  'userconfig',
  'viewer',
]);

/** Options of interpreters, each of which may name code: `--require ./x.cjs --import=./y.js`. */
const OPTIONS = ['NODE_OPTIONS', 'PERL5OPT', 'RUBYOPT'];

/** Variables that name certificates, or code that the user's shells and interpreters run first. */
const VARIABLES = [...CERTIFICATE_VARIABLES, 'BASH_ENV', 'PYTHONSTARTUP', 'SSL_CERT_DIR'];

/**
 * Paths of the workspace that the user's npm configuration and environment name as programs, code or certificates:
 * writing there decides what their own npm runs and whom their programs trust.
 *
 * @param workspace Absolute and real. npm reads its `.npmrc`, where a relative name is relative to this folder.
 */
export function namedByPerson(
  workspace: string,
  { home, env }: Readonly<{ home: string; env: NodeJS.ProcessEnv }>,
): readonly string[] {
  const set = Object.entries(env).flatMap(([name, value = '']) => {
    const key = /^npm_config_(.+)$/i.exec(name)?.[1];
    return key === undefined ? [] : [[normalised(key), value] as const];
  });
  const other = set.filter(([key]) => key === 'userconfig' || key === 'globalconfig');
  const files = [
    '/etc/npmrc',
    join(home, '.npmrc'),
    join(workspace, '.npmrc'),
    ...other.map(([, path]) => atHome(path)),
  ];
  const npm = [...set, ...files.flatMap((file) => entriesOf(file))];
  const options = [...valuesOf((key) => key === 'nodeoptions'), ...OPTIONS.map((name) => env[name] ?? '')];
  const paths = [...valuesOf((key) => NPM_KEYS.has(key)), ...VARIABLES.map((name) => env[name] ?? '')];
  const words = options.flatMap((value) => value.split(/[\s="']+/));
  return [...new Set([...words, ...paths].flatMap(pathOf))];

  function valuesOf(wanted: (key: string) => boolean): readonly string[] {
    return npm.filter(([key]) => wanted(key)).map(([, value]) => value);
  }

  function pathOf(word: string): readonly string[] {
    const path = relative(workspace, resolve(workspace, atHome(word)));
    return /^[.~$]|\//.test(word) && path !== '' && !path.startsWith('..') ? [path] : [];
  }

  function atHome(path: string): string {
    return path.replace(/^(?:~|\$\{?HOME\}?)(?=\/|$)/, home);
  }
}

/** `key = value` of each line of npm's configuration; empty if unreadable. */
function entriesOf(file: string): readonly (readonly [string, string])[] {
  const lines = textAt(file).split(/\r?\n/);
  return lines.flatMap((line) => {
    const at = line.indexOf('=');
    const value = line.slice(at + 1).trim();
    return at < 0 ? [] : [[normalised(line.slice(0, at)), value.replaceAll(/^["']|["']$/g, '')] as const];
  });
}

function normalised(key: string): string {
  return key.replaceAll(/[-_.\s]/g, '').toLowerCase();
}

function textAt(path: string): string {
  // Most of them are missing, and exceptions are slow.
  if (!existsSync(path)) return '';
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
