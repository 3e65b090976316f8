import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestRuntime, type TestRuntime } from '../../testing/open-test-runtime.ts';
import { LAYERS } from '../../testing/host-git.ts';

/** The folder of a company certificate known only to its machines; commands see the folder empty. */
let folder: string;
let certificate: string;
let server: Server;
let port: number;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'signalbox-company-'));
  certificate = join(folder, 'company.pem');
  const key = join(folder, 'key.pem');
  const wanted =
    `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost ` +
    `-addext subjectAltName=IP:127.0.0.1,DNS:localhost -keyout ${key} -out ${certificate}`;
  spawnSync('openssl', wanted.split(' '));
  mkdirSync(join(folder, 'package'));
  writeFileSync(join(folder, 'package/package.json'), '{"name":"of-company","version":"1.0.0"}');
  spawnSync('tar', ['-czf', join(folder, 'package.tgz'), '-C', folder, 'package']);
  server = createServer({ key: readFileSync(key), cert: readFileSync(certificate) }, (request, response) => {
    response.end(request.url === '/package.tgz' ? readFileSync(join(folder, 'package.tgz')) : 'hello\n');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  ({ port } = server.address() as AddressInfo);
});
afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true, force: true });
});

function open(env: Readonly<Record<string, string>>, settings: object = {}): Promise<TestRuntime> {
  const integrity = `sha512-${createHash('sha512')
    .update(readFileSync(join(folder, 'package.tgz')))
    .digest('base64')}`;
  const resolved = `https://127.0.0.1:${port}/package.tgz`;
  const root = { name: 'x', version: '1.0.0', dependencies: { 'of-company': '1.0.0' } };
  return openTestRuntime({
    files: {
      'package.json': JSON.stringify(root),
      'package-lock.json': JSON.stringify({
        name: 'x',
        version: '1.0.0',
        lockfileVersion: 3,
        packages: {
          '': root,
          'node_modules/of-company': { version: '1.0.0', resolved, integrity },
        },
      }),
      'fetch.mjs': `console.log(await (await fetch('https://127.0.0.1:${port}/')).text())`,
    },
    settings: { ...settings, sandbox: { network: { services: [`127.0.0.1:${port}`] } } },
    apiKeys: env,
  });
}

async function said(runtime: TestRuntime, line: string): Promise<string> {
  const submitted = runtime.submit('openai', 'bash', { args: { line } });
  await submitted.resting;
  const hash = submitted.record.approval?.callHash;
  if (submitted.record.state === 'awaiting_approval' && hash !== undefined) {
    const by = { name: 'ana', channel: 'test' } as const;
    await runtime.runtime.coordinator.approvals.answer(
      submitted.commandId,
      { kind: 'approve' },
      { by, expect: hash },
    );
  }
  return (await submitted.result).content;
}

test.for(LAYERS)('npm, Node.js, curl and git trust the user’s certificates: %s', async ([, layer]) => {
  await using runtime = await open(
    {
      NODE_EXTRA_CA_CERTS: certificate,
      CURL_CA_BUNDLE: certificate,
      GIT_SSL_CAINFO: certificate,
    },
    layer,
  );
  expect(await said(runtime, 'node fetch.mjs')).toContain('hello');
  expect(await said(runtime, `curl -sS https://127.0.0.1:${port}/`)).toContain('hello');
  // It is not a repository, but git has connected far enough to see that.
  expect(await said(runtime, `git ls-remote https://127.0.0.1:${port}/x.git`)).toContain(
    'not valid: is this a git repository?',
  );
  expect(await said(runtime, 'npm ci --no-audit --no-fund')).toContain('added 1 package');
  expect(await said(runtime, 'echo x >> $CURL_CA_BUNDLE')).toContain('Read-only file system');
});

test('without them no program trusts a server known only to the company', async () => {
  await using runtime = await open({});
  expect(await said(runtime, 'node fetch.mjs')).toContain('fetch failed');
  expect(await said(runtime, `curl -sS https://127.0.0.1:${port}/`)).toContain('certificate');
});

test('a file of the workspace, or one that contains a key, does not count as the user’s certificates', async () => {
  const both = join(folder, 'both.pem');
  writeFileSync(both, readFileSync(certificate, 'utf8') + readFileSync(join(folder, 'key.pem'), 'utf8'));
  const pgp = join(folder, 'pgp.pem');
  const block = '-----BEGIN PGP PRIVATE KEY BLOCK-----\n\nlQ==\n-----END PGP PRIVATE KEY BLOCK-----\n';
  writeFileSync(pgp, readFileSync(certificate, 'utf8') + block);
  const workspace = mkdtempSync(join(tmpdir(), 'signalbox-trusting-'));
  copyFileSync(certificate, join(workspace, 'theirs.pem'));
  await using runtime = await openTestRuntime({
    workspace,
    apiKeys: {
      NODE_EXTRA_CA_CERTS: join(workspace, 'theirs.pem'),
      SSL_CERT_FILE: both,
      CURL_CA_BUNDLE: pgp,
      PIP_CERT: join(folder, 'missing.pem'),
    },
  });
  const text = await said(runtime, `env; ls ${folder}`);
  expect(text).not.toMatch(/NODE_EXTRA_CA_CERTS|SSL_CERT_FILE|CURL_CA_BUNDLE|PIP_CERT|both\.pem|pgp\.pem/);
  expect(text).toContain('SIGNALBOX_COMMAND');
});
