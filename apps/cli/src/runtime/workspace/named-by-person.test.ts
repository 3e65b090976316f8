import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { namedByPerson } from './named-by-person.ts';

let home = '';
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'signalbox-person-')));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const ROOT = '/work/app';

test('the user’s npm configuration names code, programs and certificates in the workspace', () => {
  writeFileSync(
    join(home, '.npmrc'),
    'node-options = --require ./tools/first.cjs --import=file.mjs\nscript_shell="/work/app/tools/my sh"\ncafile=/etc/ca.pem\n; git=tools/git\nregistry=https://example.test/work\n',
  );
  const env = { npm_config_git: 'tools/git', NPM_CONFIG_PREFIX: '${HOME}/.npm', npm_config_tag: './x' };
  expect(namedByPerson(ROOT, { home, env }).toSorted()).toEqual([
    'tools/first.cjs',
    'tools/git',
    'tools/my sh',
  ]);
});

test('another configuration file is itself listed, and read', () => {
  const other = join(home, 'app/rc');
  rmSync(home, { recursive: true });
  expect(namedByPerson(join(home, 'app'), { home, env: { NPM_CONFIG_USERCONFIG: other } })).toEqual(['rc']);
});

test('environment variables name code and certificates', () => {
  const env = {
    BASH_ENV: '/work/app/env.sh',
    SSL_CERT_DIR: '/work/app/certs',
    NODE_OPTIONS: '--max-old-space-size=9',
  };
  expect(namedByPerson(ROOT, { home, env })).toEqual(['env.sh', 'certs']);
});
