import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync } from 'node:fs';
import { readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Execution } from '@signalbox/core';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';

const RUN_ONE = inject('runOne');
const NOBODY = 65_534;
const AS = [`--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups'];

/** Whether we can become that user, and it can read our program. */
const canBeNobody = spawnSync('/usr/bin/setpriv', [...AS, 'test', '-r', RUN_ONE]).status === 0;

/** An unprivileged overlay answers `EXDEV` when a folder from its lower layer is renamed. */
describe.skipIf(!canBeNobody)('existing folders, renamed by an ordinary user in a transaction', () => {
  let root: string;
  const at = (path: string): string => join(root, 'workspace', path);

  function run(line: string): Execution {
    const options = {
      workspace: at('.').replace(/\/\.?$/, ''),
      stateFolder: at('.signalbox'),
      path: '/usr/local/bin:/usr/bin:/bin',
      home: join(root, 'home'),
      confinement: 'required',
      transactions: 'required',
      standby: 0,
    };
    const argv = [...AS, process.execPath, RUN_ONE, JSON.stringify(options), line];
    const { stdout, stderr } = spawnSync('/usr/bin/setpriv', argv, { encoding: 'utf8' });
    if (stdout === '') throw new Error(stderr);
    return JSON.parse(stdout) as Execution;
  }

  beforeAll(() => {
    root = realpathSync(mkdtempSync(join(tmpdir(), 'signalbox-')));
    chmodSync(root, 0o755);
    mkdirSync(join(root, 'home'));
    mkdirSync(join(root, 'workspace'));
    for (const path of ['src/deep/a', 'by-call/a', 'node_modules/dep/package.json', 'dep/package.json']) {
      mkdirSync(dirname(at(path)), { recursive: true });
      writeFileSync(at(path), '{"name":"dep","version":"1.0.0"}');
    }
    writeFileSync(at('package.json'), '{"name":"app","version":"1.0.0"}');
    const git = (...args: string[]) =>
      spawnSync('git', ['-C', at('.'), '-c', 'user.name=x', '-c', 'user.email=x@y', ...args]);
    git('init', '-q', '-b', 'main');
    git('add', 'src', 'by-call');
    git('commit', '-qm', 'one');
    git('checkout', '-qb', 'other');
    git('mv', 'src', 'moved');
    git('commit', '-qm', 'two');
    git('checkout', '-q', 'main');
    spawnSync('chown', ['-R', `${NOBODY}:${NOBODY}`, root]);
  });
  afterAll(() => rmSync(root, { recursive: true, force: true }));

  const FINE = { kind: 'exited', exitCode: 0 };

  test('can be moved by mv, which copies, and by git checkout', () => {
    expect(run('mv dep kept && mv kept dep && mv dep/package.json p && mv p dep/package.json').ended).toEqual(
      FINE,
    );
    expect(run('git checkout -q other && test -e moved/deep/a && test ! -e src').ended).toEqual(FINE);
    expect(readdirSync(at('moved'))).toEqual(['deep']);
    expect(existsSync(at('src'))).toBe(false);
  });

  test.skipIf(!existsSync('/usr/bin/npm'))('can be replaced by npm install', () => {
    writeFileSync(at('dep/package.json'), '{"name":"dep","version":"2.0.0"}');
    expect(run('npm install --offline --no-audit --no-fund --install-links ./dep').ended).toEqual(FINE);
    expect(readFileSync(at('node_modules/dep/package.json'), 'utf8')).toContain('2.0.0');
  });

  test('cannot be moved by rename(2), which fails without changing anything', () => {
    const done = run('git mv by-call called');
    expect(done.ended).toMatchObject({ exitCode: 128 });
    expect(done.stderr.text).toContain('Invalid cross-device link');
    expect(existsSync(at('by-call/a'))).toBe(true);
  });
});
