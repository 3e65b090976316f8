import { execFile, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest';
import { type Execution, type NetworkUse, SandboxError } from '@signalbox/core';
import { createHarness, type SandboxHarness } from '../testing/sandbox-harness.ts';
import { openWebsite, type Website } from '../testing/website.ts';
import { createNetworkNamespace } from './network-namespace.ts';

describe.each(['off', 'where-possible'] as const)(
  'a command behind a gate (transactions %s)',
  (transactions) => {
    let harness: SandboxHarness;
    let website: Website;
    beforeEach(async () => {
      harness = createHarness({ transactions, resolve: async () => ['127.0.0.1'] });
      mkdirSync(join(harness.folder, 'www'));
      writeFileSync(join(harness.folder, 'www/page'), 'hello\n');
      website = await openWebsite(join(harness.folder, 'www'));
    });
    afterEach(async () => {
      website.close();
      await harness.close();
    });

    /** The resolver maps the names to this machine, so its address is listed too. */
    const runWith = (names: readonly string[], line: string, onConnection?: (use: NetworkUse) => void) =>
      harness.run(
        line,
        { network: { hosts: [...names, `127.0.0.1:${website.port}`] }, limits: LIMITS },
        onConnection === undefined ? {} : { onConnection },
      );
    const url = (host: string): string => `http://${host}:${website.port}/page`;

    test('reaches only listed hosts with curl, and the result says which and why (G7, S000-82, S003-40)', async () => {
      const reported: NetworkUse[] = [];
      const line = `curl -sS ${url('good.example')}; curl -sS ${url('evil.example')}; curl -sSk https://evil.example/`;
      const done = await runWith(['good.example:*'], line, (use) => reported.push(use));
      const hosts = `good.example:*, 127.0.0.1:${website.port}`;
      expect(done.stdout.text).toBe(
        `hello\nSignalbox: "evil.example:${website.port}" is not among the hosts of this command: ${hosts}\n`,
      );
      expect(done.network?.map(({ target, outcome }) => `${outcome} ${target}`)).toEqual([
        `reached good.example:${website.port}`,
        `refused evil.example:${website.port}`,
        'refused evil.example:443',
      ]);
      expect(done.network?.[2]?.why).toBe(
        `"evil.example:443" is not among the hosts of this command: ${hosts}`,
      );
      expect(reported.map(({ target }) => target)).toEqual(done.network?.map(({ target }) => target));
      expect(website.asked).toEqual([`good.example:${website.port} /page`]);
      expect(done.isolation.net).toEqual({
        strength: 'enforced',
        why: `Through a gate to these hosts only: ${hosts}`,
      });
    });

    test('fetches from an ssh remote by https, the only protocol the gate carries', async () => {
      const done = await runWith(
        ['good.example'],
        'git init -q . && git remote add a git@good.example:acme/x.git && git remote add b ssh://git@good.example/y.git && ' +
          'git remote add c git@evil.example:z.git && git ls-remote --get-url a && git ls-remote --get-url b && git ls-remote --get-url c',
      );
      expect(done.stdout.text).toBe(
        'https://good.example/acme/x.git\nhttps://good.example/y.git\ngit@evil.example:z.git\n',
      );
    });

    test('has no way past the gate: no address, no DNS, no other protocol', async () => {
      const done = await runWith(
        ['good.example:*'],
        `curl -sS --noproxy '*' http://127.0.0.1:${website.port}/page; cat </dev/tcp/127.0.0.1/${website.port}; ` +
          'getent hosts good.example; cat </dev/tcp/1.1.1.1/443; echo x >/dev/udp/1.1.1.1/53; ' +
          'curl -sS --noproxy "*" http://good.example/; true',
      );
      expect(done.stdout.text).toBe('');
      expect(done.stderr.text).toMatch(/Connection refused/);
      expect(done.stderr.text.match(/Network is unreachable/g)).toHaveLength(4);
      expect(done.network).toEqual([]);
      expect(website.asked).toEqual([]);
    });

    test('has its own list, independent of concurrent commands (finding 11)', async () => {
      const line = `curl -sS ${url('a.example')}; curl -sS ${url('b.example')}`;
      const [a, b, none] = await Promise.all([
        runWith(['a.example:*'], line),
        runWith(['b.example:*'], line),
        harness.run(line),
      ]);
      const outcomes = (done: Execution): string =>
        (done.network ?? []).map(({ target, outcome }) => `${target[0]} ${outcome}`).join(', ');
      expect(outcomes(a)).toBe('a reached, b refused');
      expect(outcomes(b)).toBe('a refused, b reached');
      expect(none.network).toBe(undefined);
      expect(none.stdout.text).toBe('');
    });

    test('has its own loopback, not that of another command behind a gate', async () => {
      const script = `require('net').createServer((s) => s.end('mine')).listen(45454, () => console.log('listening'))`;
      const heard = Promise.withResolvers<void>();
      const stop = new AbortController();
      // At the end of its input curl may exit before it has received anything.
      const serving = harness.run(
        `node -e "${script}" & until curl -s telnet://127.0.0.1:45454 --noproxy '*' | grep mine; do sleep 0.02; done; wait`,
        { network: { hosts: ['a.example'] }, limits: LIMITS },
        { signal: stop.signal, onOutput: (_, text) => text.includes('mine') && heard.resolve() },
      );
      await heard.promise;
      const other = await runWith([], 'cat </dev/tcp/127.0.0.1/45454');
      stop.abort();
      expect(other.stderr.text).toContain('Connection refused');
      expect((await serving).stdout.text).toContain('mine');
    });

    test('loses the network when it ends: a later command has none', async () => {
      await runWith(['good.example:*'], `curl -sS ${url('good.example')}`);
      const later = await harness.run(`env | grep -ic proxy; curl -sS ${url('good.example')}`);
      expect(later.stdout.text).toBe('0\n');
      const narrower = await runWith(['b.example:*'], `curl -sS ${url('good.example')}`);
      expect(narrower.network).toMatchObject([{ outcome: 'refused' }]);
    });

    test('fetches with Node.js too', async () => {
      const done = await runWith(
        ['good.example:*'],
        `node --input-type=module -e "console.log(await (await fetch('${url('good.example')}')).text())"`,
      );
      expect(done.stdout.text).toBe('hello\n\n');
    });

    test('clones with git', async () => {
      const source = join(harness.folder, 'source');
      const git = (...args: string[]): void => void spawnSync('git', args, { env: GIT_ENV });
      git('init', '-q', source);
      writeFileSync(join(source, 'file'), 'cloned\n');
      git('-C', source, 'add', 'file');
      git('-C', source, 'commit', '-qm', 'first');
      git('clone', '-q', '--bare', source, join(harness.folder, 'www/repo.git'));
      git('-C', join(harness.folder, 'www/repo.git'), 'update-server-info');
      const remote = `http://good.example:${website.port}/repo.git`;
      const done = await runWith(
        ['good.example:*'],
        `git clone -q ${remote} here && cat here/file; git clone -q ${remote.replace('good', 'evil')} there`,
      );
      expect(done.stdout.text).toBe('cloned\n');
      expect(done.stderr.text).toContain('403');
      expect(existsSync(join(harness.workspace, 'here/file'))).toBe(true);
    });

    test('installs with npm', async () => {
      publish(harness.folder, website.port);
      const done = await runWith(
        ['registry.example:*'],
        `npm install --no-audit --no-fund --loglevel=error --registry http://registry.example:${website.port}/ tiny && cat node_modules/tiny/index.js`,
      );
      expect(done.stdout.text).toContain('installed\n');
      expect(done.network?.every(({ outcome }) => outcome === 'reached')).toBe(true);
    });

    test('is behind its gate as an ordinary user too', async ({ skip }) => {
      const user = ['--reuid=65534', '--regid=65534', '--clear-groups'];
      if (spawnSync('/usr/bin/setpriv', [...user, 'test', '-r', RUN_ONE]).status !== 0) skip('needs root');
      spawnSync('chown', ['-R', '65534:65534', harness.folder]);
      const line = `curl -sS http://localhost:${website.port}/page; curl -sS http://localhost:1/; cat </dev/tcp/127.0.0.1/${website.port}; id -u`;
      const request = JSON.stringify({ network: { hosts: [`localhost:${website.port}`] } });
      const options = harness.optionsJson;
      // Asynchronous, as our own server must answer meanwhile.
      const argv = [...user, process.execPath, RUN_ONE, options, line, request];
      const { stdout } = await promisify(execFile)('/usr/bin/setpriv', argv);
      const done = JSON.parse(stdout) as Execution;
      expect(done.stdout.text).toMatch(
        /^hello\nSignalbox: "localhost:1" is not among the hosts[^\n]*\n65534\n$/,
      );
      expect(done.stderr.text).toContain('Connection refused');
      expect(done.network).toMatchObject([{ outcome: 'reached' }, { outcome: 'refused' }]);
    });
  },
);

test('nothing runs if no namespace can be created, and the error has the reason', async () => {
  const making = createNetworkNamespace({ bubblewrap: '/bin/false', uid: 0 });
  await expect(making).rejects.toThrow(SandboxError);
  await expect(making).rejects.toMatchObject({ why: ['it ended without a message'] });
});

const LIMITS = {
  timeoutMs: 30_000,
  memoryBytes: 1024 ** 3,
  cpuPercent: 100,
  processes: 256,
  fileBytes: 1024 ** 3,
  openFiles: 1024,
};
const RUN_ONE = inject('runOne');
const GIT_ENV = {
  PATH: process.env['PATH'] ?? '/usr/bin',
  GIT_CONFIG_GLOBAL: '/dev/null',
  ...Object.fromEntries(
    ['AUTHOR', 'COMMITTER'].flatMap((who) => [
      [`GIT_${who}_NAME`, 'A'],
      [`GIT_${who}_EMAIL`, 'a@example.com'],
    ]),
  ),
};

/** A package `tiny` as a registry serves it. */
function publish(folder: string, port: number): void {
  const [source, www] = [join(folder, 'tiny/package'), join(folder, 'www')];
  mkdirSync(source, { recursive: true });
  writeFileSync(join(source, 'package.json'), JSON.stringify({ name: 'tiny', version: '1.0.0' }));
  writeFileSync(join(source, 'index.js'), 'installed\n');
  spawnSync('tar', ['-czf', join(www, 'tiny-1.0.0.tgz'), '-C', join(folder, 'tiny'), 'package']);
  const dist = { tarball: `http://registry.example:${port}/tiny-1.0.0.tgz` };
  const version = { name: 'tiny', version: '1.0.0', dist };
  writeFileSync(
    join(www, 'tiny'),
    JSON.stringify({ name: 'tiny', 'dist-tags': { latest: '1.0.0' }, versions: { '1.0.0': version } }),
  );
}
