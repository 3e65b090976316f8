import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { writeLocalAccess } from '../serve/local-access.ts';
import { createTestWorkspace } from '../testing/open-test-house.ts';
import { createTestTerminal } from '../testing/test-context.ts';

let workspace = '';
let server: Server;
let pageStatus = 200;
let codes = 0;

/** What of a server this needs: a page, or none, and codes. */
beforeEach(async () => {
  workspace = createTestWorkspace();
  codes = 0;
  server = createServer((request, response) => {
    if (request.url !== '/api/entry-codes') return void response.writeHead(pageStatus).end('<!doctype html>');
    codes += 1;
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ code: `code-${codes}`, expiresAt: 1 }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  writeLocalAccess(workspace, { url, token: 't', pid: process.pid });
});

afterEach(() => {
  server.closeAllConnections();
  server.close();
  rmSync(workspace, { recursive: true, force: true });
});

test('dashboard refuses to give a link that leads to no page, and says how to build it (U-B1)', async () => {
  pageStatus = 503;
  const ran = await createTestTerminal(workspace).signalbox('dashboard');
  expect(ran).toMatchObject({ exit: 6, out: '' });
  expect(ran.talk).toContain('Cannot open the dashboard: it is not built');
  expect(ran.talk).toMatch(/node \S+\/scripts\/run\.mjs dashboard/);
});

/** Runs it in a terminal whose desktop opens pages with a program that keeps what it was given. */
async function runAt(
  env: Readonly<Record<string, string>>,
  { tty = true, flags = [] }: Readonly<{ tty?: boolean; flags?: readonly string[] }> = {},
) {
  pageStatus = 200;
  const bin = join(workspace, 'bin');
  mkdirSync(bin);
  for (const opener of ['xdg-open', 'open']) {
    writeFileSync(join(bin, opener), `#!/bin/sh\ncat "$1" > ${bin}/page\n`);
    chmodSync(join(bin, opener), 0o755);
  }
  const terminal = createTestTerminal(workspace, {
    ...(tty ? { onAsked: () => undefined } : {}),
    env: { ...env, PATH: `${bin}:${process.env['PATH']}` },
  });
  const ran = await terminal.signalbox('dashboard', ...flags);
  return { ...ran, opened: () => readFileSync(join(bin, 'page'), 'utf8') };
}

test('on a desktop dashboard opens the browser, by another link than the one that it prints (U-M7)', async () => {
  const { exit, out, talk, opened } = await runAt({ DISPLAY: ':0' });
  expect({ exit, out, talk }).toMatchObject({
    exit: 0,
    out: expect.stringContaining('#enter=code-1'),
    talk: expect.stringContaining('opening in your browser'),
  });
  await vi.waitFor(() => expect(opened()).toContain('#enter=code-2'), 60_000);
});

test.for([
  ['over SSH', { DISPLAY: ':0', SSH_CONNECTION: '10.0.0.1 1 10.0.0.2 22' }, {}],
  ['without a screen', {}, {}],
  ['into a pipe', { DISPLAY: ':0' }, { tty: false }],
  ['with --no-open', { DISPLAY: ':0' }, { flags: ['--no-open'] }],
] as const)('%s dashboard prints the link and opens nothing (U-M7)', async ([, env, options]) => {
  const { exit, out, talk } = await runAt(env, options);
  expect([exit, out, talk]).toEqual([
    0,
    expect.stringContaining('#enter=code-1'),
    expect.not.stringContaining('browser'),
  ]);
  expect([codes, existsSync(join(workspace, '.signalbox/open-dashboard.html'))]).toEqual([1, false]);
});
