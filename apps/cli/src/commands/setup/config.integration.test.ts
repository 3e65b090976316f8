import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ownWorkspace } from '../../testing/own-workspace.ts';
import { createTestTerminal } from '../../testing/test-context.ts';

const SHARED = '# ours\napproval:\n  expiry: 5m # enough\n';

test('setting a key changes only its own file, applies, and leaves everything else unchanged', async () => {
  const workspace = ownWorkspace({ 'signalbox.yaml': SHARED });
  const { signalbox } = createTestTerminal(workspace);
  const set = await signalbox('config', 'set', 'approval.expiry', '15m', '--file', 'workspace');
  expect(set.exit).toBe(0);
  expect(set.out).toContain('-  expiry: 5m # enough\n  +  expiry: 15m # enough');
  expect(set.talk).toContain('Takes effect when the coordinator restarts: approval.expiry');
  expect(readFileSync(join(workspace, 'signalbox.yaml'), 'utf8')).toBe(SHARED.replace('5m', '15m'));
  expect((await signalbox('config', 'get', 'approval.expiry')).out).toContain('signalbox.yaml:3');

  await signalbox('config', 'set', 'approval.expiry', '1m');
  expect(readFileSync(join(workspace, '.signalbox/local.yaml'), 'utf8')).toBe('approval:\n  expiry: 1m\n');
  const weaker = await signalbox('config', 'set', 'approval.expiry', '2m', '--file', 'workspace', '--json');
  expect(JSON.parse(weaker.out)).toMatchObject({ file: 'signalbox.yaml', value: '2m', counts: 60_000 });
  expect(weaker.talk).toContain('it has no effect here: .signalbox/local.yaml:2 says "1m"');

  await signalbox('config', 'unset', 'approval.expiry');
  expect((await signalbox('config', 'get', 'approval.expiry')).out).toContain('signalbox.yaml:3');
});

test.for([
  [['approval.expiri', '5m'], 'did you mean expiry?'],
  [['approval.expiry', 'soon'], '^^^^'],
  [['rules', '[{ id: a, allow: 3 }]'], 'nothing was written'],
] as const)('an invalid change is rejected, and nothing is written: %j', async ([argv, said]) => {
  const workspace = ownWorkspace({ 'signalbox.yaml': SHARED });
  const { signalbox } = createTestTerminal(workspace);
  const refused = await signalbox('config', 'set', ...argv, '--file', 'workspace');
  expect(refused).toMatchObject({ exit: 2, out: '' });
  expect(refused.talk).toContain(`Cannot set ${argv[0]}`);
  expect(refused.talk).toContain(said);
  expect(readFileSync(join(workspace, 'signalbox.yaml'), 'utf8')).toBe(SHARED);
  await signalbox('config', 'set', ...argv);
  expect(existsSync(join(workspace, '.signalbox/local.yaml'))).toBe(false);
});

test.for(['NODE_EXTRA_CA_CERTS', 'NODE_OPTIONS', 'LD_PRELOAD', 'npm_config_registry'])(
  'a forbidden variable is rejected by the settings, not by every line: %s',
  async (name) => {
    const problem = `sandbox.env_vars.${name} changes what a line means or which code runs: remove it`;
    const workspace = ownWorkspace();
    const { signalbox } = createTestTerminal(workspace);
    const set = await signalbox('config', 'set', `sandbox.env_vars.${name}`, '/etc/x');
    expect(set).toMatchObject({ exit: 2, talk: expect.stringContaining(problem) as unknown });
    expect(existsSync(join(workspace, '.signalbox/local.yaml'))).toBe(false);
    const written = ownWorkspace({ 'signalbox.yaml': `sandbox:\n  env_vars:\n    ${name}: /etc/x\n` });
    const listed = await createTestTerminal(written).signalbox('config', 'list');
    expect(listed.talk).toContain(`Cannot read signalbox.yaml: ${problem}`);
    expect(listed.exit).toBe(2);
  },
);

test('a loosening in a shared file is reported as ignored, a rule as waiting for trust (C2)', async () => {
  const { signalbox } = createTestTerminal(ownWorkspace());
  const loose = await signalbox(
    'config',
    'set',
    'approval.approval_mode',
    'allow_all',
    '--file',
    'workspace',
  );
  expect([loose.exit, loose.talk]).toEqual([0, expect.stringContaining('a shared file can only tighten')]);
  const rule = '[{ id: curl, allow: { program: curl } }]';
  const allowed = await signalbox('config', 'set', 'rules', rule, '--file', 'workspace');
  expect([allowed.exit, allowed.talk]).toEqual([0, expect.stringContaining('signalbox rules trust')]);
});

test('a provider can’t change settings from inside a command', async () => {
  const workspace = ownWorkspace();
  const { signalbox } = createTestTerminal(workspace, { env: { SIGNALBOX_COMMAND: 'cmd_x' } });
  for (const action of ['set', 'unset', 'edit', 'migrate']) {
    expect(await signalbox('config', action, 'budget', '9')).toMatchObject({ exit: 3 });
  }
  expect(existsSync(join(workspace, '.signalbox'))).toBe(false);
});

test('renamed keys are moved after they were shown and confirmed (S001-101)', async () => {
  const old =
    '# old\napproval_mode: prompt # all\nagent:\n  max_tool_retries: 2\n  max_retry_duration_secs: 45\n';
  const workspace = ownWorkspace({ 'signalbox.yaml': old });
  expect((await createTestTerminal(workspace).signalbox('config', 'list')).exit).toBe(2);
  const unasked = await createTestTerminal(workspace).signalbox('config', 'migrate');
  expect([unasked.exit, readFileSync(join(workspace, 'signalbox.yaml'), 'utf8')]).toEqual([4, old]);

  const { signalbox } = createTestTerminal(workspace, { onAsked: () => undefined, typed: () => 'y' });
  const moved = await signalbox('config', 'migrate');
  expect(moved.out).toContain('approval_mode → approval.approval_mode');
  expect(moved.exit).toBe(0);
  const listed = await signalbox('config', 'list', '--json');
  expect(JSON.parse(listed.out)).toMatchObject({
    'approval.approval_mode': { value: 'prompt' },
    'tools.retry.max_attempts': { value: 2 },
    'tools.retry.budget_secs': { value: 45 },
  });
  expect((await signalbox('config', 'migrate')).out).toContain('Nothing to move');
});

test('a user edits a draft, and an invalid one is not written but edited again', async () => {
  const workspace = ownWorkspace({ 'signalbox.yaml': SHARED });
  const editor = join(workspace, 'editor.sh');
  mkdirSync(join(workspace, '.signalbox'));
  // First it breaks the file, then it repairs it.
  writeFileSync(
    editor,
    'case "$(cat "$1")" in *budgt*) echo "budget: 3" > "$1" ;; *) echo "budgt: 3" >> "$1" ;; esac\n',
  );
  const asked: string[] = [];
  const { signalbox } = createTestTerminal(workspace, {
    env: { EDITOR: `sh ${editor}` },
    onAsked: () => undefined,
    typed(question) {
      asked.push(readFileSync(join(workspace, 'signalbox.yaml'), 'utf8'), question);
      return 'y';
    },
  });
  const edited = await signalbox('config', 'edit');
  expect(edited.exit).toBe(0);
  expect(edited.talk).toContain('did you mean budget?');
  expect(asked).toEqual([SHARED, 'Edit it again? [y/N] ']);
  expect(readFileSync(join(workspace, 'signalbox.yaml'), 'utf8')).toBe('budget: 3\n');
});

test('the list begins with user-set values, and prints them as in the file (U-W)', async () => {
  const tools = 'tools:\n  bash:\n    timeout: 50s\n';
  const workspace = ownWorkspace({ 'signalbox.yaml': `${SHARED}${tools}` });
  const { signalbox } = createTestTerminal(workspace);
  const { out, talk } = await signalbox('config', 'list', '--origin');
  const rows = out.split('\n').map((row) => row.replaceAll(/ {2,}/g, '  '));
  expect(rows.slice(1, 3)).toEqual(['tests  null  default', 'lint  null  default']);
  expect(rows).toContain('approval.expiry  5m  signalbox.yaml:3');
  expect(rows).toContain('tools.bash.timeout  50s  signalbox.yaml:6');
  expect(rows).toContain('mode  NORMAL  default');
  expect(rows).toContain('sandbox.resource_limits.timeout_ms  5m  default');
  expect(rows).toContain('agents.tool_execution.auto_approve_tools  [read_file, graph_query]  default');
  const keys = rows.map((row) => row.split('  ')[0]);
  expect(keys.indexOf('tools.bash.timeout')).toBeLessThan(keys.indexOf('backend'));
  expect([out, talk]).toEqual([expect.stringContaining('sandbox.working_dir'), '']);
  const json = JSON.parse((await signalbox('config', 'list', '--json')).out) as object;
  expect(json).toMatchObject({
    'approval.expiry': { value: 300_000 },
    'sandbox.working_dir': { value: null },
  });
});

test.for([
  ['{ enabled: true, policies: [never run a shell line] }', 'policy_provider'],
  ['{ enabled: true, policy_provider: ollama }', 'at least one policy'],
  // A shared file does not choose who reads your calls.
  ['{ enabled: true, policies: [no], policy_provider: ollama }', 'policy_provider must name'],
])('a judge that could judge nothing prevents a start: %s (P5)', async ([policy, why]) => {
  const { signalbox } = createTestTerminal(
    ownWorkspace({ 'signalbox.yaml': `tools: { adversarial_policy: ${policy} }\n` }),
  );
  const { exit, talk } = await signalbox('check', '--', 'ls');
  expect([exit, talk]).toEqual([2, expect.stringContaining(why ?? '')]);
});

test('a key that is not set is shown with its default', async () => {
  const { signalbox } = createTestTerminal(ownWorkspace({ 'signalbox.yaml': '{}\n' }));
  expect((await signalbox('config', 'get', 'approval.expiry')).out).toMatch(/approval\.expiry +30m +default/);
});
