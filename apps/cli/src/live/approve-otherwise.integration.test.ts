import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CallHash } from '@signalbox/core';
import { expect, test } from 'vitest';
import { openTestRuntime, type TestRuntime } from '../testing/open-test-runtime.ts';
import { openTestServer } from '../testing/open-test-server.ts';
import { ownWorkspace } from '../testing/own-workspace.ts';
import { createTestTerminal } from '../testing/test-context.ts';

const ASKING = { approval: { prompt_on_warning: true } } as const;
const TWO = {
  ...ASKING,
  rules: [{ id: 'two-for-tags', ask: { program: 'git', args: ['tag', '**'] }, approvers: 2 }],
};

/** A pending call, and the hash that its user saw. */
async function ask(own: TestRuntime, line: string) {
  const submitted = own.submit('openai', 'bash', { args: { line } });
  const { callHash } = await own.event(
    'approval_requested',
    ({ commandId }) => commandId === submitted.commandId,
  );
  return { submitted, id: submitted.commandId, hash: callHash };
}

test('another terminal can approve a different line than the pending one; it is judged again', async () => {
  await using own = await openTestRuntime({ settings: ASKING });
  const { signalbox } = createTestTerminal(own.workspace);
  const { submitted, id, hash } = await ask(own, 'touch a');
  expect(await signalbox('approve', id, '--modify', 'sudo touch b', '--expect', hash)).toMatchObject({
    exit: 3,
    talk: expect.stringContaining("can't be approved"),
  });
  const changed = await signalbox('approve', id, '--modify', 'touch b', '--expect', hash);
  expect(changed.exit).toBe(0);
  expect(changed.talk).toContain('touch b');
  expect((await submitted.result).success).toBe(true);
  expect(['a', 'b'].map((name) => existsSync(join(own.workspace, name)))).toEqual([false, true]);
});

test('the user edits the line in their editor, sees the new ruling, and approves', async () => {
  await using own = await openTestRuntime({ settings: ASKING });
  const asked = (editor: string, answer: string) =>
    createTestTerminal(own.workspace, {
      env: { VISUAL: editor },
      onAsked: () => undefined,
      typed: () => answer,
    });
  const { submitted, id } = await ask(own, 'touch a');
  expect(await asked('true', 'y').signalbox('approve', id, '--edit')).toMatchObject({
    exit: 4,
    talk: expect.stringContaining('nothing was decided'),
  });
  expect(await asked('false', 'y').signalbox('approve', id, '-e')).toMatchObject({
    exit: 6,
    talk: expect.stringContaining('"false" failed'),
  });
  const toB = `sed -i 's/touch a/touch b/'`;
  expect((await asked(toB, 'n').signalbox('approve', id, '--edit')).exit).toBe(4);
  expect((await createTestTerminal(own.workspace).signalbox('approve', id, '--edit')).exit).toBe(4);
  const changed = await asked(toB, 'y').signalbox('approve', id, '--edit');
  expect(changed).toMatchObject({ exit: 0, talk: expect.stringContaining('touch b') });
  expect((await submitted.result).success).toBe(true);
  expect(['a', 'b'].map((name) => existsSync(join(own.workspace, name)))).toEqual([false, true]);
});

test('without a terminal and without the hash nothing is changed or remembered', async () => {
  await using own = await openTestRuntime({ settings: ASKING });
  const { signalbox } = createTestTerminal(own.workspace);
  const { id } = await ask(own, 'touch a');
  expect((await signalbox('approve', id, '--modify', 'touch b')).exit).toBe(4);
  expect((await signalbox('approve', id, '--always')).exit).toBe(4);
  expect((await signalbox('approve', '--always')).exit).toBe(2);
  expect((await own.runtime.coordinator.status(id))?.state).toBe('awaiting_approval');
});

test('“always” for a session shows its rule, applies at once, is listed and can be removed', async () => {
  await using own = await openTestRuntime({ settings: ASKING });
  const { signalbox } = createTestTerminal(own.workspace);
  const { submitted, id, hash } = await ask(own, 'touch a');
  const { exit, talk } = await signalbox('approve', id, '--remember', '--expect', hash);
  expect(exit).toBe(0);
  expect(talk).toContain(
    'This rule would be stored, for session:\n  - id: touch-a\n    allow: { program: touch, args: [ a ] }',
  );
  expect((await submitted.result).success).toBe(true);
  expect((await own.call('openai', 'bash', { line: 'touch a' })).success).toBe(true);
  const listed = await signalbox('rules');
  expect(listed.out).toMatch(/touch-a +allow +touch a +session \w{4}/);
  expect((await signalbox('rules', 'remove', 'touch-a')).out).toContain('Removed touch-a from its session');
  await ask(own, 'touch a');
});

test('“always” for a workspace is written to your file with an expiry, and the answer counts even if that fails', async () => {
  await using own = await openTestRuntime({ settings: ASKING });
  const { signalbox } = createTestTerminal(own.workspace);
  const { submitted, id, hash } = await ask(own, 'touch a');
  const argv = ['approve', id, '--always', '--for', 'local', '--expires', '7d', '--expect', hash];
  expect((await signalbox(...argv)).exit).toBe(0);
  expect((await submitted.result).success).toBe(true);
  const file = readFileSync(join(own.workspace, '.signalbox/local.yaml'), 'utf8');
  expect(file).toMatch(/- id: touch-a\n +allow: \{ program: touch, args: \[ a \] \}/);
  expect(file).toMatch(/because: \w{4}, approved by ana\n/);
  const end = /expires: (\S+)/.exec(file)?.[1] ?? '';
  expect(Math.round((Date.parse(end) - Date.now()) / 86_400_000)).toBe(7);
  expect((await signalbox('rules')).out).toMatch(/touch-a +allow/);
  expect((await signalbox('rules', 'remove', 'touch-a')).exit).toBe(0);
});

test('“always” for a file tool covers only that file', async () => {
  await using own = await openTestRuntime({ settings: ASKING });
  const { signalbox } = createTestTerminal(own.workspace);
  const asked = own.submit('openai', 'write_file', { args: { path: 'a.txt', content: 'one\n' } });
  const { callHash } = await own.event('approval_requested');
  const { exit, talk } = await signalbox('approve', asked.commandId, '--always', '--expect', callHash);
  expect([exit, talk]).toEqual([0, expect.stringContaining('allow: { tool: write_file, path: a.txt }')]);
  expect((await asked.result).success).toBe(true);
  expect((await own.call('openai', 'write_file', { path: 'a.txt', content: 'two\n' })).success).toBe(true);
  const other = own.submit('openai', 'write_file', { args: { path: 'b.txt', content: 'one\n' } });
  expect(await other.resting).toBe('pending');
});

test('“always” is not offered for dangerous calls, and nothing is decided then', async () => {
  await using own = await openTestRuntime({ files: { 'dist/a': 'x' } });
  const { signalbox } = createTestTerminal(own.workspace);
  const { id, hash } = await ask(own, 'rm -rf dist');
  expect(await signalbox('approve', id, '--always', '--expect', hash)).toMatchObject({
    exit: 2,
    talk: expect.stringContaining('dangerous calls always need approval'),
  });
  expect((await own.runtime.coordinator.status(id))?.state).toBe('awaiting_approval');
});

test('at a terminal the result is shown first, and any answer but y decides nothing', async () => {
  await using own = await openTestRuntime({ settings: ASKING });
  const { id } = await ask(own, 'touch a');
  let answer = 'n';
  const { signalbox } = createTestTerminal(own.workspace, { onAsked: () => undefined, typed: () => answer });
  expect((await signalbox('approve', id, '--always')).exit).toBe(4);
  expect((await own.runtime.coordinator.status(id))?.state).toBe('awaiting_approval');
  answer = 'y';
  expect((await signalbox('approve', id, '--always')).exit).toBe(0);
});

test('of two approvers at two terminals the first counts as 1 of 2, and the same person does not count twice', async () => {
  await using server = await openTestServer({ settings: TWO });
  const own = server.of;
  const ana = createTestTerminal(own.workspace);
  // Another approver has another account: they use an access token.
  const made = { kind: 'made', name: 'ben', role: 'approver', provider: null, lifetimeMs: null } as const;
  const { token } = await own.tokens.create(made);
  const ben = createTestTerminal(ownWorkspace(), { env: { SIGNALBOX_TOKEN: token } });
  const { submitted, id, hash } = await ask(own, 'git tag v1');
  const first = await ana.signalbox('approve', id, '--expect', hash);
  expect([first.exit, first.talk]).toEqual([
    0,
    expect.stringContaining('1 of 2: one more approver is needed'),
  ]);
  const again = await ana.signalbox('approve', id, '--expect', hash);
  expect([again.exit, again.talk]).toEqual([5, expect.stringContaining('another approver is needed')]);
  expect((await ben.signalbox('approve', id, '--expect', hash, '--server', server.url)).exit).toBe(0);
  expect((await submitted.result).success).toBe(true);
  expect(own.auditLines().at(-1)).toMatchObject({
    answers: [
      { by: 'ana', over: 'cli', answer: 'granted' },
      { by: 'ben', over: 'api', answer: 'granted' },
    ],
  });
});

test('a script that changed after its approval was requested does not run on the old approval', async () => {
  await using own = await openTestRuntime({ files: { 'tool.sh': 'echo one\n' }, settings: ASKING });
  const { signalbox } = createTestTerminal(own.workspace);
  const { submitted, id, hash } = await ask(own, 'bash tool.sh');
  writeFileSync(join(own.workspace, 'tool.sh'), 'echo two\n');
  expect(await signalbox('approve', id, '--expect', hash)).toMatchObject({
    exit: 5,
    talk: expect.stringContaining('tool.sh changed since the request. It is pending again'),
  });
  const again = await own.event(
    'approval_requested',
    ({ callHash }) => callHash !== (hash satisfies CallHash),
  );
  expect((await signalbox('approve', id, '--expect', again.callHash)).exit).toBe(0);
  expect((await submitted.result).content).toContain('two');
});
