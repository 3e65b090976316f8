import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { writeOwnSettings } from '../../testing/own-settings.ts';
import { ownWorkspace } from '../../testing/own-workspace.ts';
import { createTestTerminal } from '../../testing/test-context.ts';

const CLAUDE = JSON.stringify({
  permissions: { allow: ['Bash(npm install:*)'], deny: ['Bash(npm publish)'] },
});

test('rules of an agent are imported into your own file, where they apply, and stay out of the shared one', async () => {
  const workspace = ownWorkspace({ '.claude/settings.json': CLAUDE });
  const { signalbox } = createTestTerminal(workspace);
  expect((await signalbox('check', '--', 'npm publish')).exit).toBe(4);
  const shown = await signalbox('init', '--from', 'claude-code', '--print');
  expect(shown.out).toContain('npm');
  expect(existsSync(join(workspace, '.signalbox'))).toBe(false);

  const { exit, out } = await signalbox('init', '--from', 'claude-code');
  expect([exit, out]).toEqual([0, expect.stringMatching(/✓ rules +2 from .*settings\.json, 0 left out/)]);
  expect((await signalbox('check', '--', 'npm publish')).exit).toBe(3);
  expect(readFileSync(join(workspace, 'signalbox.yaml'), 'utf8')).not.toContain('rules:');
});

test('existing rules of the user are not mixed with imported ones, and nothing is written', async () => {
  const workspace = ownWorkspace({ '.claude/settings.json': CLAUDE });
  mkdirSync(join(workspace, '.signalbox'));
  const mine = 'rules:\n  - id: mine\n    deny: { program: rm }\n';
  writeFileSync(join(workspace, '.signalbox/local.yaml'), mine);
  const { exit, talk } = await createTestTerminal(workspace).signalbox('init', '--from', 'claude-code');
  expect([exit, talk]).toEqual([2, expect.stringContaining('already has rules')]);
  expect(readFileSync(join(workspace, '.signalbox/local.yaml'), 'utf8')).toBe(mine);
  expect(existsSync(join(workspace, 'signalbox.yaml'))).toBe(false);
});

test('without such rules there is nothing to import, and a provider can’t set itself up', async () => {
  const workspace = ownWorkspace();
  const env = { HOME: join(workspace, 'home'), SIGNALBOX_COMMAND: 'cmd_x' };
  const { signalbox } = createTestTerminal(workspace, { env });
  expect(await signalbox('init', '--from', 'codex')).toMatchObject({ exit: 2 });
  expect(await signalbox('init')).toMatchObject({ exit: 3 });
  expect(existsSync(join(workspace, 'signalbox.yaml'))).toBe(false);
});

test('the user is asked about the project’s hosts, agrees with an empty answer, and installs need no approval any more', async () => {
  const workspace = ownWorkspace({ 'package.json': '{ "name": "shop" }' });
  const alone = createTestTerminal(ownWorkspace({ 'package.json': '{ "name": "shop" }' }));
  const { out } = await alone.signalbox('init');
  expect(out).toMatch(/\? network +installs and fetches need approval · signalbox network allow/);
  const { signalbox } = createTestTerminal(workspace, { onAsked: () => undefined, typed: () => '' });
  expect((await signalbox('check', '--', 'npm ci')).exit).toBe(4);
  const { exit, out: said, talk } = await signalbox('init');
  expect([exit, said, talk]).toEqual([
    0,
    expect.stringMatching(/✓ network +installs and fetches from registry\.npmjs\.org/),
    expect.stringContaining('registry.npmjs.org'),
  ]);
  expect((await signalbox('check', '--', 'npm ci')).exit).toBe(0);
  expect((await signalbox('check', '--', 'npm publish')).exit).toBe(4);
});

test('each host to agree to has its reason, an address too', async () => {
  const workspace = ownWorkspace({
    'package.json': '{ "name": "shop" }',
    'pyproject.toml': '[project]\nname = "shop"\n',
    '.npmrc': 'registry=http://10.0.0.7:4873/\n',
    '.git/config': '[remote "origin"]\n\turl = git@10.1.2.3:team/app.git\n',
  });
  const { talk } = await createTestTerminal(workspace, AGREES).signalbox('init');
  expect(talk).toMatch(/^ {4}registry\.npmjs\.org +usual for npm$/m);
  expect(talk).toMatch(/^ {4}pypi\.org +usual for python$/m);
  expect(talk).toMatch(/^ {4}10\.0\.0\.7:4873 +\.npmrc$/m);
  expect(talk).toMatch(/^ {4}10\.1\.2\.3 +\.git\/config$/m);
});

const MAKE = (line: string) => ({ Makefile: `test:\n\t@${line}\n` });
const AGREES = { onAsked: () => undefined, typed: () => '' };

test('the tests run once in the sandbox if the user agrees, and their needs are reported (U-B2)', async () => {
  const workspace = ownWorkspace(MAKE('echo 3 passed'));
  const asked: string[] = [];
  const { exit, out, talk } = await createTestTerminal(workspace, {
    onAsked: () => undefined,
    typed: (question) => {
      asked.push(question);
      return '';
    },
  }).signalbox('init');
  expect(asked).toEqual([
    'When do they need approval? [U/a/n] ',
    'Run the tests once in the sandbox, to see what they need (make test)? [Y/n] ',
  ]);
  expect([exit, out]).toEqual([
    0,
    expect.stringMatching(/^✓ tests +passed \([\d.]+ m?s(?:, \d+ MiB of memory)?\)$/m),
  ]);
  expect(out).not.toContain('3 passed');
  expect(talk).toContain('3 passed');
  const { out: past } = await createTestTerminal(workspace).signalbox('history', '--json');
  expect(past).toContain('make test');
});

test('the tests do not run after a no, and without a terminal only with the flag', async () => {
  const files = MAKE('touch ran.txt');
  const refusing = ownWorkspace(files);
  const no = { onAsked: () => undefined, typed: () => 'n' };
  expect((await createTestTerminal(refusing, no).signalbox('init')).out).not.toMatch(/^. tests /m);
  const alone = ownWorkspace(files);
  expect((await createTestTerminal(alone).signalbox('init')).out).not.toMatch(/^. tests /m);
  expect([refusing, alone].map((one) => existsSync(join(one, 'ran.txt')))).toEqual([false, false]);
  const wanted = ownWorkspace(files);
  const { out } = await createTestTerminal(wanted).signalbox('init', '--try-tests', '--json');
  expect(JSON.parse(out)).toMatchObject({
    trial: { outcome: 'completed', exitCode: 0, needsNetwork: false },
  });
  expect(existsSync(join(wanted, 'ran.txt'))).toBe(true);
});

test('tests that fail without network access are reported as such', async () => {
  const workspace = ownWorkspace(MAKE('echo getaddrinfo EAI_AGAIN db.example >&2; exit 1'));
  const { exit, out } = await createTestTerminal(workspace, AGREES).signalbox('init');
  expect([exit, out]).toEqual([
    0,
    expect.stringMatching(/^\? tests +need the network, which only installs and fetches have$/m),
  ]);
  expect(out).not.toMatch(/^. network/m);
  expect(out).toMatch(/^\? tests +failed with exit code 2 /m);
});

test('tests that exceed the command limits are killed, and a limit is proposed and written', async () => {
  const grow =
    'const all = []; for (let i = 0; i < 600; i += 1) all.push(Buffer.alloc(2 ** 20, 1)); setInterval(() => all, 1000);';
  const workspace = ownWorkspace({ ...MAKE('node grow.cjs'), 'grow.cjs': grow });
  const local = join(workspace, '.signalbox/local.yaml');
  await writeOwnSettings(workspace, {
    text: '# mine\nsandbox: { resource_limits: { max_memory_mb: 256 } }\n',
  });
  const { exit, out } = await createTestTerminal(workspace, AGREES).signalbox('init');
  expect([exit, out]).toEqual([0, expect.stringMatching(/^\? tests +Killed: used /m)]);
  const [, raised] = /✓ memory +a command may use (\d+) MiB \(256 before\)/.exec(out) ?? [];
  expect(Number(raised)).toBeGreaterThanOrEqual(512);
  expect(readFileSync(local, 'utf8')).toContain(`max_memory_mb: ${raised}`);
});

test('Ctrl-C during the tests stops them and leaves the workspace set up', async () => {
  const workspace = ownWorkspace(MAKE('echo begun; sleep 600'));
  let interrupt = (): void => undefined;
  const { exit, out } = await createTestTerminal(workspace, {
    ...AGREES,
    interrupts: {
      listen(listener) {
        interrupt = () => listener(1, 'SIGINT');
        return () => undefined;
      },
      raise: () => undefined,
    },
    onSay: (text) => {
      if (text.startsWith('begun')) interrupt();
    },
  }).signalbox('init');
  expect([exit, out]).toEqual([0, expect.stringMatching(/^✓ signalbox\.yaml/m)]);
  expect(out).toMatch(/^\? tests +.*stopped/m);
  expect((await createTestTerminal(workspace).signalbox('config', 'get', 'tests')).out).toContain(
    'make test',
  );
});

test.for([
  ['', 'when_reversible', 0, 'run if undo can revert them'],
  ['a', 'ask', 4, 'always need approval'],
  ['n', 'never', 0, 'never need approval'],
] as const)(
  'init asks when file changes need approval: “%s” is %s, for shell lines too (S002-43)',
  async ([typed, choice, exit, words]) => {
    const workspace = ownWorkspace();
    const { signalbox } = createTestTerminal(workspace, { onAsked: () => undefined, typed: () => typed });
    expect((await signalbox('init')).out).toContain(`yours: file changes ${words}\n`);
    const written = readFileSync(join(workspace, '.signalbox/local.yaml'), 'utf8');
    expect(written).toContain(`file_writes: ${choice}\n`);
    expect((await signalbox('check', '--', 'echo x > f')).exit).toBe(exit);
  },
);
