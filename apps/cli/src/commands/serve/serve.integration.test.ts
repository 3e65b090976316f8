import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, test, vi } from 'vitest';
import { MAIN } from '../../testing/agent.ts';
import { createTestWorkspace } from '../../testing/open-test-runtime.ts';
import { createTestTerminal } from '../../testing/test-context.ts';

test('a served workspace is found by its owner’s programs, entered by a link, and left clean', async () => {
  const workspace = createTestWorkspace();
  const bin = join(workspace, 'bin');
  mkdirSync(bin);
  for (const opener of ['xdg-open', 'open'])
    writeFileSync(join(bin, opener), `#!/bin/sh\ncat "$1" > ${bin}/page\n`, { mode: 0o755 });
  const argv = [MAIN, '-C', workspace, 'serve', '--foreground', '--port', '0', '--json', '--open'];
  const server = spawn(process.execPath, argv, {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, PATH: `${bin}:${process.env['PATH']}` },
  });
  try {
    const [first] = (await once(createInterface(server.stdout), 'line')) as [string];
    const { event, url } = JSON.parse(first) as { event: string; url: string };
    expect(event).toBe('server.started');
    const file = join(workspace, '.signalbox/server.json');
    expect(statSync(file).mode & 0o777).toBe(0o600);

    await vi.waitFor(
      () => expect(readFileSync(join(bin, 'page'), 'utf8')).toContain(`"${url}/#enter=`),
      60_000,
    );

    const terminal = createTestTerminal(workspace);
    const link = JSON.parse((await terminal.signalbox('dashboard', '--json')).out) as { url: string };
    expect(link.url).toMatch(new RegExp(`^${url}/#enter=`));
    const entered = await fetch(`${url}/api/enter`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ code: link.url.split('=')[1] }),
    });
    expect(entered.status).toBe(200);

    const made = JSON.parse(
      (await terminal.signalbox('token', 'create', '--name', 'wall', '--expires', '1h', '--json')).out,
    ) as { id: string; role: string; accessToken: string; hash?: string };
    expect(made).toMatchObject({ role: 'viewer', name: 'wall' });
    expect(made.hash).toBeUndefined();
    const headers = { authorization: `Bearer ${made.accessToken}` };
    expect((await fetch(`${url}/api/mode`, { headers })).status).toBe(200);
    const listed = await terminal.signalbox('token', 'list', '--json');
    expect(listed.out).toContain(made.id);
    expect(listed.out).not.toContain('hash');
    expect((await terminal.signalbox('token', 'revoke', made.id)).exit).toBe(0);
    expect((await fetch(`${url}/api/mode`, { headers })).status).toBe(401);
    expect((await terminal.signalbox('token', 'revoke', made.id)).exit).not.toBe(0);

    server.kill('SIGTERM');
    expect(await once(server, 'exit')).toEqual([0, null]);
    expect(existsSync(file)).toBe(false);
    expect((await terminal.signalbox('watch', '--once')).talk).toContain('nothing runs in');
  } finally {
    server.kill('SIGKILL');
    rmSync(workspace, { recursive: true, force: true });
  }
});

test('beyond this machine it serves only with TLS, unless the operator overrides that', async () => {
  const workspace = createTestWorkspace();
  try {
    const { exit, talk } = await createTestTerminal(workspace).signalbox(
      'serve',
      '--host',
      '0.0.0.0',
      '--port',
      '0',
    );
    expect(exit).toBe(2);
    expect(talk).toContain('would not be encrypted');
    const half = await createTestTerminal(workspace).signalbox('serve', '--tls-cert', 'nowhere.pem');
    expect(half.talk).toContain('certificate and its key');
  } finally {
    rmSync(workspace, { recursive: true, force: true });
  }
});
