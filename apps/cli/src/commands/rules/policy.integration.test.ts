import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openTestRuntime } from '../../testing/open-test-runtime.ts';
import { writeOwnSettings } from '../../testing/own-settings.ts';
import { ownWorkspace } from '../../testing/own-workspace.ts';
import { createTestTerminal } from '../../testing/test-context.ts';

const SHARED = `rules:
  - id: no-publish
    deny: { program: npm, args: [publish] }
    because: CI publishes
    examples: { match: [npm publish] }
  - id: install
    allow: { program: npm, args: [install, "**"] }
    examples: { match: [npm install zod] }
`;

function terminal(files: Readonly<Record<string, string>>, more: Readonly<Record<string, string>> = {}) {
  const workspace = ownWorkspace(files);
  return { workspace, ...createTestTerminal(workspace, { env: more }) };
}

test('policy explain names the rule, its line in the file, and what would change it', async () => {
  const { signalbox } = terminal({ 'signalbox.yaml': SHARED });
  const denied = await signalbox('policy', 'explain', '--', 'npm publish');
  expect(denied.exit).toBe(0);
  expect(denied.out).toContain('no-publish (signalbox.yaml:2)');
  expect(denied.out).toContain('CI publishes');
  const asked = await signalbox('policy', 'explain', '--json', '--', 'npm install zod');
  expect(JSON.parse(asked.out)).toMatchObject({
    ruling: { kind: 'ask', rule: 'warning-asks' },
    changes: ['an allow rule that names the program and its arguments, or the paths'],
    proposal: { id: 'npm-install-zod', allow: { program: 'npm', args: ['install', 'zod'] } },
  });
  const traced = await signalbox('policy', 'explain', '--trace', '--', 'ls');
  expect(traced.out).toMatch(/no-publish +deny +–/);
  expect(traced.out).toMatch(/safe-auto +allow +decides/);
  expect((await signalbox('policy', 'explain')).exit).toBe(2);
});

test('policy explain explains a past command', async () => {
  const { signalbox } = terminal({});
  await signalbox('exec', '--', 'echo hi');
  expect((await signalbox('policy', 'explain', '@last')).out).toContain('safe-auto (built in)');
});

test('rules trust shows the allow rules of the repository, and applies them after a yes', async () => {
  const { signalbox, workspace } = terminal({ 'signalbox.yaml': SHARED });
  const ruling = async () => (await signalbox('check', '--', 'npm install zod')).exit;
  expect(await ruling()).toBe(4);
  const shown = await signalbox('rules', 'trust');
  expect([shown.exit, shown.talk]).toEqual([4, expect.stringContaining('npm install **')]);
  expect(await ruling()).toBe(4);
  expect((await signalbox('rules', 'trust', '--yes')).exit).toBe(0);
  expect(await ruling()).toBe(0);
  writeFileSync(join(workspace, 'signalbox.yaml'), SHARED.replace('"**"', '"**", "--force"'));
  expect(await ruling()).toBe(2);
});

test('rules add writes a rule as narrow as the line, which then applies, and remove deletes it', async () => {
  const { signalbox, workspace } = terminal({});
  await writeOwnSettings(workspace, { text: '# mine\nbudget: 2\n' });
  const added = await signalbox('rules', 'add', '--expires', '1d', '--', 'npm install zod@4');
  expect(added.out).toContain('allow: { program: npm, args: [ install, zod@4 ] }');
  expect((await signalbox('check', '--', 'npm install zod@4')).exit).toBe(0);
  expect((await signalbox('check', '--', 'npm install zod@5')).exit).toBe(4);
  const listed = JSON.parse((await signalbox('rules', '--json')).out) as unknown;
  expect(listed).toMatchObject({
    rules: [{ id: 'npm-install-zod-4', source: '.signalbox/local.yaml:4', layer: 'local', hits: 0 }],
  });
  expect((await signalbox('rules', 'remove', 'npm-instal-zod-4')).talk).toContain('did you mean');
  expect((await signalbox('rules', 'remove', 'npm-install-zod-4')).exit).toBe(0);
  expect(readFileSync(join(workspace, '.signalbox/local.yaml'), 'utf8')).toBe('# mine\nbudget: 2\n');
  await signalbox('rules', 'add', '--ruling', 'deny', '--because', 'no', '--', 'npm install');
  expect((await signalbox('check', '--', 'npm install zod')).exit).toBe(3);
});

test('rules add says when the rule must be trusted before it applies', async () => {
  const { signalbox } = terminal({});
  const added = await signalbox('rules', 'add', '--file', 'workspace', '--', 'npm install');
  expect([added.exit, added.talk]).toEqual([0, expect.stringContaining('signalbox rules trust')]);
  expect((await signalbox('check', '--', 'npm install')).exit).toBe(4);
});

test('rules add refuses a rule that would change nothing', async () => {
  const { signalbox, workspace } = terminal({});
  for (const line of ['rm -rf dist', 'npm install $X', 'ls'])
    expect((await signalbox('rules', 'add', '--', line)).exit).toBe(2);
  expect((await signalbox('rules', 'add', '--ruling', 'ask', '--', 'a && b')).exit).toBe(2);
  expect(() => readFileSync(join(workspace, '.signalbox/local.yaml'))).toThrow('ENOENT');
});

test('rules can’t be changed or trusted from inside a command', async () => {
  const { signalbox } = terminal({ 'signalbox.yaml': SHARED }, { SIGNALBOX_COMMAND: 'cmd_x' });
  for (const argv of [
    ['trust', '--yes'],
    ['add', '--', 'npm install'],
    ['remove', 'install'],
  ])
    expect((await signalbox('rules', ...argv)).exit).toBe(3);
});

test('policy test and policy check examine the rules, with exit codes for CI', async () => {
  const { signalbox } = terminal({ 'signalbox.yaml': SHARED });
  expect(await signalbox('policy', 'test', '--rule', 'no-publish')).toMatchObject({
    exit: 0,
    out: 'all passed · 1 example, 1 of your own rules\n',
  });
  expect((await signalbox('policy', 'test')).exit).toBe(0);
  expect((await signalbox('policy', 'test', '--rule', 'nope')).exit).toBe(2);
  const checked = await signalbox('policy', 'check', '--strict');
  expect([checked.exit, checked.out]).toEqual([1, expect.stringContaining('signalbox rules trust')]);
  const mine = terminal({
    'signalbox.yaml':
      'rules: [{ id: no-pub, deny: { program: npm, args: [publish] }, examples: { match: [npm publish] } }]',
  });
  expect(await mine.signalbox('policy', 'check')).toMatchObject({
    out: 'no problems · 1 rule of your own\n',
  });
});

test('policy replay lists every ruling that a draft changes, and exits 1 for CI', async () => {
  const { signalbox, workspace } = terminal({});
  await signalbox('exec', '--', 'echo hi');
  await signalbox('exec', '--', 'ls');
  writeFileSync(join(workspace, 'new.yaml'), 'rules:\n  - id: no-echo\n    deny: { program: echo }\n');
  const replayed = await signalbox('policy', 'replay', 'new.yaml', '--json');
  expect(replayed.exit).toBe(1);
  expect(JSON.parse(replayed.out)).toMatchObject({
    same: 1,
    flips: 1,
    changed: [
      { command: { title: 'bash echo hi' }, was: { kind: 'allow' }, now: { kind: 'deny', rule: 'no-echo' } },
    ],
  });
  const only = async (kind: string) => (await signalbox('policy', 'replay', 'new.yaml', '--only', kind)).exit;
  expect([await only('deny'), await only('stricter'), await only('looser'), await only('ask')]).toEqual([
    1, 1, 0, 0,
  ]);
  writeFileSync(join(workspace, 'same.yaml'), '');
  expect((await signalbox('policy', 'replay', '--with', 'same.yaml')).exit).toBe(0);
  writeFileSync(join(workspace, 'broken.yaml'), 'rules:\n  - id: x\n    deny: { pattern: "(" }\n');
  const broken = await signalbox('policy', 'replay', 'broken.yaml');
  expect([broken.exit, broken.talk]).toEqual([2, expect.stringContaining('broken.yaml')]);
  expect((await signalbox('policy', 'replay')).exit).toBe(2);
});

test('a past command is replayed and explained in its mode at that time', async () => {
  const workspace = ownWorkspace();
  const { signalbox } = createTestTerminal(workspace);
  await createTestTerminal(workspace, { env: { SIGNALBOX_MODE: 'ALERT' } }).signalbox(
    'exec',
    '--',
    'echo hi',
  );
  const draft = 'rules:\n  - id: quiet\n    deny: { program: echo }\n    modes: [NORMAL]\n';
  writeFileSync(join(workspace, 'new.yaml'), draft);
  expect((await signalbox('policy', 'replay', 'new.yaml')).out).toContain('no ruling flips');
  writeFileSync(join(workspace, 'new.yaml'), draft.replace('NORMAL', 'ALERT'));
  expect((await signalbox('policy', 'replay', 'new.yaml')).out).toContain('1 flip');
  const { out } = await signalbox('policy', 'explain', '@last', '--json');
  expect(JSON.parse(out)).toMatchObject({ mode: 'ALERT' });
});

test('policy explain says how many approvers a rule requires, and its layer', async () => {
  const asks = 'rules:\n  - id: two\n    ask: { program: npm, args: [publish] }\n    approvers: 2\n';
  const { signalbox } = terminal({ 'signalbox.yaml': asks });
  const { out } = await signalbox('policy', 'explain', '--trace', '--', 'npm publish');
  expect(out).toMatch(/^ask 2 people · /);
  expect(out).toMatch(/Rule +two \(signalbox\.yaml:2\)/);
  expect(out).toMatch(/Layer +the shared file of this workspace/);
  expect(out).toMatch(/two +ask 2 people +decides/);
  expect((await signalbox('check', '--', 'npm publish')).out).toMatch(/^ask 2 people · /);
  expect((await signalbox('rules')).out).toMatch(/two +ask 2 +npm publish +signalbox\.yaml:2/);
});

test('policy test --watch tries the examples again whenever a file changes, also after a broken file', async () => {
  const file = (example: string) =>
    `rules:\n  - id: no-publish\n    deny: { program: npm, args: [publish] }\n    examples: { match: [${example}] }\n`;
  const workspace = ownWorkspace({ 'signalbox.yaml': file('npm publish') });
  const heard: string[] = [];
  let interrupt: () => void = () => undefined;
  const write = (example: string): void => writeFileSync(join(workspace, 'signalbox.yaml'), file(example));
  const { signalbox } = createTestTerminal(workspace, {
    interrupts: {
      listen(listener) {
        interrupt = () => listener(1, 'SIGINT');
        return () => undefined;
      },
      raise: () => undefined,
    },
    onPrint(text) {
      heard.push(text);
      if (heard.length === 1) write('npm pack');
      else interrupt();
    },
    onTalk(text) {
      heard.push(text);
      write('npm publish, npm publish --tag x');
    },
  });
  const ran = await signalbox('policy', 'test', '--rule', 'no-publish', '--watch');
  expect(heard).toEqual([
    'all passed · 1 example, 1 of your own rules\n',
    expect.stringContaining('says that the rule matches "npm pack", but it does not'),
    'all passed · 2 examples, 2 of your own rules\n',
  ]);
  expect(ran.exit).toBe(0);
});

test('policy import prints rules of another program that a file accepts unchanged', async () => {
  const { signalbox, workspace } = terminal({
    '.claude/settings.json': '{"permissions":{"allow":["Bash(npm install:*)"],"deny":["mcp__x"]}}',
    'my.toml': '[[rule]]\ntoolName = "run_shell_command"\ncommandPrefix = "npm publish"\ndecision = "deny"\n',
    'my.rules': 'prefix_rule(pattern = ["npm", "login"], decision = "forbidden")\n',
  });
  const claude = await signalbox('policy', 'import', 'claude-code');
  expect(claude.talk).toContain('left out mcp__x');
  writeFileSync(join(workspace, '.signalbox.yaml'), '');
  writeFileSync(join(workspace, 'signalbox.yaml'), claude.out);
  await signalbox('rules', 'trust', '--yes');
  expect((await signalbox('check', '--', 'npm install zod')).exit).toBe(0);
  expect((await signalbox('policy', 'import', 'gemini', '--from-file', 'my.toml')).out).toContain(
    'args: [ publish ]',
  );
  expect((await signalbox('policy', 'import', 'codex', '--from-file', 'my.rules')).out).toContain(
    'args: [ login ]',
  );
  expect((await signalbox('policy', 'import', 'cursor')).exit).toBe(2);
  expect((await signalbox('policy', 'import', 'gemini', '--from-file', 'my.rules')).exit).toBe(2);
});

test('a denied reading line names the rule that denies it, before and after', async () => {
  await using own = await openTestRuntime();
  const { signalbox } = createTestTerminal(own.workspace);
  const denied = await own.call('openai', 'bash', { line: 'cat /etc/hosts' });
  for (const argv of [
    ['check', '--', 'cat /etc/hosts'],
    ['policy', 'explain', '--', 'cat /etc/hosts'],
    ['policy', 'explain', denied.commandId],
    ['status', denied.commandId],
  ]) {
    const { out } = await signalbox(...argv);
    expect(out).toContain('Cannot read "/etc/hosts": it is outside the workspace');
    expect(out).not.toContain('only reads, or runs tests');
  }
  expect((await signalbox('check', '--', 'ls')).out).toContain('only reads, or runs tests');
});
