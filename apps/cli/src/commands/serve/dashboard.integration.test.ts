import { chmodSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test, vi } from 'vitest';
import { fakeCoordinator } from '../../client/testing/fake-coordinator.ts';
import { ownWorkspace } from '../../testing/own-workspace.ts';
import { createTestTerminal } from '../../testing/test-context.ts';

let workspace = '';
let codes = 0;

beforeEach(() => {
  workspace = ownWorkspace();
  codes = 0;
});

/** The parts of a coordinator that this needs: a page, or none, an open port, and codes. */
const listens = (pageStatus: number) =>
  fakeCoordinator(workspace, {
    '/': pageStatus,
    '/api/ports': () => ({ url: 'http://127.0.0.1:4180' }),
    '/api/entry-codes': () => ({ code: `code-${++codes}`, expiresAt: 1 }),
  });

test('dashboard refuses to print a link that leads to no page, and says how to build it (U-B1)', async () => {
  await listens(503);
  const ran = await createTestTerminal(workspace).signalbox('dashboard');
  expect(ran).toMatchObject({ exit: 6, out: '' });
  expect(ran.talk).toContain('Cannot open the dashboard: it is not built');
  expect(ran.talk).toMatch(/node \S+\/scripts\/run\.mjs dashboard/);
});

/** Runs it on a terminal whose desktop opens pages with a program that stores its arguments. */
async function runAt(
  env: Readonly<Record<string, string>>,
  { tty = true, flags = [] }: Readonly<{ tty?: boolean; flags?: readonly string[] }> = {},
) {
  await listens(200);
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

test('on a desktop dashboard opens the browser, with another link than the printed one (U-M7)', async () => {
  const { exit, out, talk, opened } = await runAt({ DISPLAY: ':0' });
  expect({ exit, out, talk }).toMatchObject({
    exit: 0,
    out: expect.stringContaining('http://127.0.0.1:4180/#enter=code-1'),
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
  expect([codes, pages()]).toEqual([1, []]);
});

const pages = (): readonly string[] =>
  readdirSync(join(workspace, '.signalbox')).filter((name) => name.endsWith('.html'));

test('two dashboards opened at once have a link each, and pages of old links are removed', async () => {
  await listens(200);
  const bin = join(workspace, 'bin');
  mkdirSync(bin);
  // The browser reads its page once both are written.
  const opener = `#!/bin/sh\nuntil [ -e ${bin}/go ]; do sleep 0.02; done\ncat "$1" >> ${bin}/opened\n`;
  for (const name of ['xdg-open', 'open']) writeFileSync(join(bin, name), opener, { mode: 0o755 });
  const old = join(workspace, '.signalbox/open-dashboard-0.html');
  writeFileSync(old, '');
  utimesSync(old, 0, 0);
  const { signalbox } = createTestTerminal(workspace, {
    onAsked: () => undefined,
    env: { DISPLAY: ':0', PATH: `${bin}:${process.env['PATH']}` },
  });
  await Promise.all([signalbox('dashboard'), signalbox('dashboard')]);
  expect(pages()).toEqual([expect.not.stringContaining('-0.html'), expect.anything()]);
  writeFileSync(join(bin, 'go'), '');
  const opened = () => readFileSync(join(bin, 'opened'), 'utf8').match(/code-\d/g) ?? [];
  await vi.waitFor(() => expect(new Set(opened()).size).toBe(2), 60_000);
});
