import type { TestCommandView } from './testing/command-view.ts';
import { expect, test } from 'vitest';
import { openTestServer } from '../../testing/open-test-server.ts';
import { ASKING, echo, waitingCommand } from './testing/waiting-command.ts';

type Waiting = { approvals: { command: TestCommandView; before: string | null }[] };

test('an answer over HTTP decides a pending approval, and the audit log names who gave it (E7, E9)', async () => {
  await using own = await openTestServer(ASKING);
  const asked = await waitingCommand(own, 'touch granted');
  const { body } = await own.ask<Waiting>('GET', '/api/approvals');
  expect(body.approvals.map(({ command }) => command.id)).toEqual([asked.id]);
  const callHash = asked.approval?.callHash;
  const other = await own.ask('POST', `/api/approvals/${asked.id}/grant`, {
    body: { callHash: 'f'.repeat(64) },
  });
  expect(other).toMatchObject({ status: 409, body: { code: 'changed-call' } });
  const granted = await own.ask('POST', `/api/approvals/${asked.id}/grant`, { body: { callHash } });
  expect(granted.status).toBe(200);
  await own.of.ended(asked.id);
  const second = await own.ask('POST', `/api/approvals/${asked.id}/refuse`, { body: { callHash } });
  const title = expect.stringMatching(`^Cannot answer ${asked.id}: the command was already approved by .`);
  expect(second).toMatchObject({ status: 409, body: { code: 'already-decided', title } });
  const { body: done } = await own.ask<TestCommandView>('GET', `/api/commands/${asked.id}`);
  expect(done).toMatchObject({
    status: 'completed',
    approval: { status: 'granted', by: { channel: 'api' } },
  });
  const by = done.approval !== null && 'by' in done.approval ? done.approval.by.name : '';
  expect(own.of.auditLines().at(-1)).toMatchObject({ approved_by: by });
});

test('a denial over HTTP reaches the provider with its reason', async () => {
  await using own = await openTestServer(ASKING);
  const asked = await waitingCommand(own, 'touch refused');
  await own.ask('POST', `/api/approvals/${asked.id}/refuse`, {
    body: { callHash: asked.approval?.callHash, reason: 'use the other folder' },
  });
  await own.of.ended(asked.id);
  const { body } = await own.ask<TestCommandView>('GET', `/api/commands/${asked.id}`);
  expect(body.result?.content).toContain('use the other folder');
});

test('a pending call can be changed: it is judged again, then runs as changed', async () => {
  await using own = await openTestServer(ASKING);
  const asked = await waitingCommand(own, 'touch first');
  const path = `/api/approvals/${asked.id}`;
  const judged = await own.ask<TestCommandView>('POST', `${path}/judge`, {
    body: { args: { line: 'echo only' } },
  });
  expect(judged.body.verdict?.level).toBe('safe');
  const modify = (shown: unknown) =>
    own.ask('POST', `${path}/modify`, {
      body: { callHash: asked.approval?.callHash, args: { line: 'echo instead' }, shown },
    });
  expect(await modify(undefined)).toMatchObject({ status: 400, body: { code: 'invalid-request' } });
  const ofAnother = await modify(judged.body.approval?.callHash);
  expect(ofAnother).toMatchObject({ status: 409, body: { code: 'changed-call' } });
  const instead = await own.ask<TestCommandView>('POST', `${path}/judge`, {
    body: { args: { line: 'echo instead' } },
  });
  expect((await modify(instead.body.approval?.callHash)).status).toBe(200);
  await own.of.ended(asked.id);
  const { body } = await own.ask<TestCommandView>('GET', `/api/commands/${asked.id}`);
  expect(body.result?.stdout).toBe('instead\n');
});

test('a rule that needs two approvers gets two different people', async () => {
  await using own = await openTestServer({
    settings: {
      rules: [{ id: 'two', ask: { program: 'touch' }, approvers: 2, examples: { match: ['touch a'] } }],
    },
  });
  const asked = await waitingCommand(own, 'touch agreed');
  const mira = await own.of.tokens.create({
    kind: 'made',
    name: 'mira',
    role: 'approver',
    provider: null,
    lifetimeMs: null,
  });
  const grant = (token: string): ReturnType<typeof own.ask> =>
    own.ask('POST', `/api/approvals/${asked.id}/grant`, {
      token,
      body: { callHash: asked.approval?.callHash },
    });
  expect(await grant(own.token)).toMatchObject({ status: 200, body: { state: 'awaiting_approval' } });
  expect(await grant(own.token)).toMatchObject({ status: 409, body: { code: 'same-person' } });
  expect((await grant(mira.token)).status).toBe(200);
  await own.of.ended(asked.id);
  expect((await own.ask('GET', `/api/commands/${asked.id}`)).body).toMatchObject({ status: 'completed' });
});

test('a rule is previewed exactly, remembered for the session, and then allows without approval', async () => {
  await using own = await openTestServer(ASKING);
  const asked = await waitingCommand(own, 'touch remembered');
  const proposed = await own.ask<{ kind: string; rule: object }>('GET', `/api/approvals/${asked.id}/rule`);
  expect(proposed.body).toMatchObject({ kind: 'rule', rule: { allow: { program: 'touch' } } });
  const remember = (rule: object): ReturnType<typeof own.ask> =>
    own.ask('POST', `/api/approvals/${asked.id}/remember`, {
      body: { callHash: asked.approval?.callHash, rule, scope: 'session' },
    });
  const unfit = await remember({ ...proposed.body.rule, allow: { program: 'cat' } });
  expect(unfit).toMatchObject({ status: 400, body: { code: 'unfit-rule' } });
  expect(await remember(proposed.body.rule)).toMatchObject({
    status: 200,
    body: { stored: { counts: true } },
  });
  await own.of.ended(asked.id);
  const again = await own.ask<TestCommandView>('POST', '/api/commands', {
    body: { ...echo('touch remembered'), sessionId: asked.context.sessionId },
  });
  expect(again.body.status).toBe('completed');
});

test('the changes of a command are shown, and undone by another command', async () => {
  await using own = await openTestServer({
    files: { 'a.txt': 'before\n' },
    settings: { approval: { approval_mode: 'allow_all' } },
  });
  const { body } = await own.ask<TestCommandView>('POST', '/api/commands', {
    body: echo('echo after > a.txt'),
  });
  expect(body.status).toBe('completed');
  const diff = await own.ask<{ files: { path: string; patch: string }[] }>(
    'GET',
    `/api/commands/${body.id}/diff`,
  );
  expect(diff.body.files).toMatchObject([{ path: 'a.txt', added: 1, removed: 1, current: true }]);
  const undone = await own.ask<TestCommandView>('POST', `/api/commands/${body.id}/undo`, {
    body: { paths: ['a.txt'] },
  });
  expect(undone.body).toMatchObject({ call: { tool: 'undo' }, status: 'completed' });
  expect(own.of.read('a.txt')).toBe('before\n');
  const none = '/api/commands/cmd_aaaaaaaaaaaa';
  const unknown = { status: 404, body: { code: 'unknown-command' } };
  expect(await own.ask('GET', `${none}/diff`)).toMatchObject(unknown);
  expect(await own.ask('POST', `${none}/undo`, { body: { paths: [] } })).toMatchObject(unknown);
});
