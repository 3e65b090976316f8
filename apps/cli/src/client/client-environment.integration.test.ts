import { existsSync, chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { MAIN, startAgent } from '../testing/agent.ts';
import { openTestServer } from '../testing/open-test-server.ts';
import { writeOwnSettings } from '../testing/own-settings.ts';
import { runProgram } from '../testing/run-program.ts';
import { backgroundWorld } from './testing/background-world.ts';

/** Several programs in sequence. */
const TIMEOUT_MS = 240_000;

/** A folder with a `tool` that prints this. */
function folderWithTool(says: string): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'signalbox-bin-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, 'bin'));
  const file = join(folder, 'bin/tool');
  writeFileSync(file, `#!/bin/sh\necho ${says}\n`);
  chmodSync(file, 0o755);
  return join(folder, 'bin');
}

async function shells() {
  const world = backgroundWorld();
  await writeOwnSettings(world.directory, { text: 'approval: { approval_mode: allow_all }\n' });
  const pathTo = (folder: string) => `${folder}:${world.env.PATH}`;
  async function exec(line: string, env: Readonly<Record<string, string>>): Promise<string> {
    const argv = [process.execPath, MAIN, '-C', world.directory, 'exec', '--', line] as const;
    const options = { cwd: world.directory, env: { ...world.env, ...env }, timeoutMs: 120_000 };
    return (await runProgram(argv, options)).output;
  }
  return { ...world, pathTo, exec };
}

test(
  'exec finds the programs of its own shell’s PATH, whichever shell started the coordinator',
  { timeout: TIMEOUT_MS },
  async () => {
    const { exec, pathTo } = await shells();
    expect(await exec('tool', { PATH: pathTo(folderWithTool('first')) })).toBe('first\n');
    expect(await exec('tool', { PATH: pathTo(folderWithTool('second')) })).toBe('second\n');
    expect(await exec('tool || echo none', {})).toContain('none');
  },
);

test(
  'exec runs in the locale and time zone of its shell, and takes no other variable from it',
  { timeout: TIMEOUT_MS },
  async () => {
    const { exec } = await shells();
    const line = 'echo "$LC_ALL|$LANG|$LC_TIME|$GREETING|$BASH_ENV"; date -d @0 +%H';
    const east = { TZ: 'JST-9', LC_ALL: 'POSIX', GREETING: 'hello', BASH_ENV: '/etc/profile' };
    expect(await exec(line, east)).toBe('POSIX|C.UTF-8|||\n09\n');
    // In such an encoding the shell would read a different line than the judged one.
    const west = { TZ: 'EST5', LANG: 'C.UTF-8', LC_TIME: 'C', LC_ALL: 'ja_JP.SJIS' };
    expect(await exec(line, west)).toBe('|C.UTF-8|C||\n19\n');
  },
);

test(
  'an agent uses the programs of its own PATH, and gets messages in English',
  { timeout: TIMEOUT_MS },
  async () => {
    const { directory, pathTo, exec } = await shells();
    await exec('true', { PATH: pathTo(folderWithTool('shell')) });
    const env = { PATH: pathTo(folderWithTool('agent')), LC_ALL: 'POSIX' };
    const agent = await startAgent(directory, 'codex', env);
    onTestFinished(agent.leave);
    expect(await agent.bash('tool; echo "$LC_ALL"')).toContain('agent\nC.UTF-8\n');
  },
);

test(
  'commits in the sandbox have the author of the user’s git configuration, and trust their certificates',
  { timeout: TIMEOUT_MS },
  async () => {
    const { directory, exec } = await shells();
    const home = realpathSync(mkdtempSync(join(tmpdir(), 'signalbox-person-')));
    onTestFinished(() => rmSync(home, { recursive: true, force: true }));
    const [certificate, work] = [join(home, 'company.pem'), join(home, 'work.gitconfig')];
    writeFileSync(certificate, '-----BEGIN CERTIFICATE-----\nAA==\n-----END CERTIFICATE-----\n');
    const own = `[user]\n\tname = Ana \\"Hopper\\" \\t Ng\n[alias]\n\tco = checkout\n`;
    writeFileSync(join(home, '.gitconfig'), `${own}[includeIf "gitdir:${directory}/"]\n\tpath = ${work}\n`);
    writeFileSync(work, '[user]\n\temail = ana@work.example\n[credential]\n\thelper = store\n');
    for (const name of ['user.name', 'user.email'])
      await runProgram(['git', 'config', '--unset', name], { cwd: directory, timeoutMs: 5000 });
    const env = { HOME: home, SSL_CERT_FILE: certificate };
    const line = `git commit -q --allow-empty -m x && git log -1 --format='%an <%ae> %cn <%ce>'`;
    const ana = 'Ana "Hopper"   Ng <ana@work.example>';
    expect(await exec(line, env)).toBe(`${ana} ${ana}\n`);
    expect(await exec('git config --global --list', env)).not.toMatch(/alias|credential/);
    // Determined by the process that started the coordinator.
    expect(await exec('cat "$SSL_CERT_FILE"', {})).toContain('BEGIN CERTIFICATE');
  },
);

test(
  'git configuration named in the environment sets the author, and its hooks are not run',
  { timeout: TIMEOUT_MS },
  async () => {
    const { directory, exec } = await shells();
    const named = join(directory, '.signalbox-test-git');
    writeFileSync(named, '[user]\n\tname = Bo\n\temail = bo@x.example\n[core]\n\thooksPath = .ghooks\n');
    writeFileSync(join(directory, 'leave.sh'), 'mkdir -p .ghooks; echo x > .ghooks/pre-commit\n');
    for (const name of ['user.name', 'user.email'])
      await runProgram(['git', 'config', '--unset', name], { cwd: directory, timeoutMs: 5000 });
    const env = { GIT_CONFIG_GLOBAL: named };
    const line = `git commit -q --allow-empty -m x && git log -1 --format='%an <%ae>'`;
    expect(await exec(line, env)).toBe('Bo <bo@x.example>\n');
    await exec('bash leave.sh', env);
    expect(existsSync(join(directory, '.ghooks/pre-commit'))).toBe(false);
  },
);

test('a client on a port brings no environment', async () => {
  await using server = await openTestServer();
  const body = { tool: 'bash', args: { line: 'true' }, clientEnv: { PATH: '/tmp/bin' } };
  const run = { assignments: [{ provider: 'openai', task: 'Finish' }], clientEnv: { TZ: 'EST5' } };
  const refused = { status: 403, body: { code: 'owner-only' } };
  expect(await server.ask('POST', '/api/commands', { body })).toMatchObject(refused);
  expect(await server.ask('POST', '/api/runs', { body: run })).toMatchObject(refused);
});
