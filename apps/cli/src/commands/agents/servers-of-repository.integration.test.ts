import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { writeOwnSettings } from '../../testing/own-settings.ts';
import { ownWorkspace } from '../../testing/own-workspace.ts';
import { createTestTerminal } from '../../testing/test-context.ts';
import { NOTES_SERVER, notesServerFiles } from './testing/notes-server.ts';

const FILES = await notesServerFiles();
let workspace = '';
let calls = '';

beforeEach(() => {
  workspace = ownWorkspace(FILES);
  calls = join(workspace, 'calls');
});

function write(server: object): void {
  writeFileSync(join(workspace, 'signalbox.yaml'), JSON.stringify({ mcp_servers: { notes: server } }));
}

function writeOwn(server: object): Promise<void> {
  return writeOwnSettings(workspace, { text: JSON.stringify({ mcp_servers: { notes: server } }) });
}

function terminal(more: Parameters<typeof createTestTerminal>[1] = {}) {
  const env = { PATH: process.env['PATH'] ?? '' };
  return createTestTerminal(workspace, { env, ...more });
}

test('nothing that a repository names starts before the user has agreed to its exact definition', async () => {
  const marker = { command: '/bin/sh', args: ['-c', `touch ${calls}`], sandbox: false };
  write(marker);
  const { signalbox } = terminal();
  expect((await signalbox('tools')).out).toContain('not started: not trusted here');
  const doctor = await signalbox('doctor');
  expect(doctor.out).toContain('not trusted here');
  expect(doctor.out).toContain('signalbox tools trust notes');
  expect(await signalbox('tools', 'trust')).toMatchObject({ exit: 4 });
  expect(existsSync(calls)).toBe(false);

  const agreed = await signalbox('tools', 'trust', '--yes');
  expect(agreed).toMatchObject({
    exit: 0,
    out: expect.stringContaining('Trusted notes, until the definition changes'),
  });
  expect(agreed.talk).toContain(`touch ${calls}`);
  expect(agreed.talk).toContain('no sandbox: it has all your rights');
  await signalbox('doctor');
  expect(existsSync(calls)).toBe(true);

  write({ ...marker, args: ['-c', `touch ${calls} # another`] });
  rmSync(calls);
  expect((await signalbox('doctor')).out).toContain('not trusted here');
  expect(existsSync(calls)).toBe(false);
});

test('the user sees everything a server receives before agreeing', async () => {
  write({
    ...NOTES_SERVER,
    env: { MODE: 'fast' },
    env_from: ['MY_TOKEN'],
    workspace: 'write',
    network: true,
    tools: { echo: { policy: 'auto' } },
  });
  const { talk } = await terminal({ onAsked: () => undefined, typed: () => 'y' }).signalbox(
    'tools',
    'trust',
    'notes',
  );
  expect(talk).toContain('in the sandbox: writes the workspace, the whole network');
  expect(talk).toContain('MODE=fast');
  expect(talk).toContain('MY_TOKEN of your environment');
  expect(talk).toContain('echo: policy "auto"');
  expect(await terminal().signalbox('tools', 'trust', 'other')).toMatchObject({ exit: 2 });
  expect((await terminal().signalbox('tools', 'trust')).out).toBe('Every shared server is trusted.\n');
});

test('doctor really lists each server’s tools, and tools shows them with their server', async () => {
  await writeOwn(NOTES_SERVER);
  const { signalbox } = terminal();
  expect((await signalbox('doctor')).out).toMatch(
    /✓ mcp notes +9 tools, in the sandbox: reads the workspace, no network/,
  );
  await writeOwn({ command: '/no/such/program' });
  expect((await signalbox('doctor')).out).toMatch(
    /✗ mcp notes +\/no\/such\/program: it exited with code 127/,
  );
  expect((await signalbox('tools')).out).toContain('mcp notes  not started yet');
});
