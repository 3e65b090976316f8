import { shortId } from '@signalbox/core';
import { startRedisServer } from '@signalbox/redis/testing';
import { expect, onTestFinished, test } from 'vitest';
import { openTestRuntime, type TestRuntime } from '../../testing/open-test-runtime.ts';
import { openTestServer } from '../../testing/open-test-server.ts';
import { createTestTerminal } from '../../testing/test-context.ts';

const settings = (expiry: string) => ({ approval: { prompt_on_warning: true, expiry } });

async function asked(own: TestRuntime, line = 'touch a') {
  const submitted = own.submit('openai', 'bash', { args: { line } });
  const { callHash } = await own.event(
    'approval_requested',
    (event) => event.commandId === submitted.commandId,
  );
  return { ...submitted, id: shortId(submitted.commandId), hash: callHash.slice(0, 8) };
}

test('signalbox approve --extend 5m gives an approval more time, from another terminal (U-M6)', async () => {
  await using own = await openTestRuntime({ settings: settings('10m') });
  const { commandId, id, hash } = await asked(own);
  const terminal = createTestTerminal(own.workspace);
  const { exit, talk } = await terminal.signalbox('approve', id, '--extend', '5m', '--expect', hash);
  expect(talk).toContain(`you gave ${id} more time`);
  expect(exit).toBe(0);
  const { by } = await own.event('approval_extended', (event) => event.commandId === commandId);
  expect(by.name).toBe('ana');
  const status = await terminal.signalbox('status', id);
  expect(status.out).toMatch(/pending, 14:\d\d left/);
});

test.for(['embedded', 'redis'])(
  'an agent whose approval expired uses the answer of a later signalbox approve, once: %s (A-MISSING 2)',
  async (backend) => {
    const env = backend === 'redis' ? await redisEnv() : {};
    await using own = await openTestRuntime({ settings: settings('1s'), apiKeys: env });
    const { result, id, hash } = await asked(own);
    expect((await result).content).toContain(`The answer is still pending: signalbox approve ${id}`);
    const terminal = createTestTerminal(own.workspace, { env });
    const { exit, talk } = await terminal.signalbox('approve', id, '--expect', hash);
    expect(talk).toContain('its next identical call uses it');
    expect(exit).toBe(0);
    expect((await own.call('openai', 'bash', { line: 'touch a' })).success).toBe(true);
    expect((await own.call('openai', 'bash', { line: 'touch a' })).failure?.code).toBe('approval-expired');
    expect(own.auditLines().map(({ result: end }) => end)).toEqual(['denied', 'completed', 'denied']);
  },
);

async function redisEnv(): Promise<Readonly<Record<string, string>>> {
  const redis = await startRedisServer(['--appendonly', 'yes']);
  onTestFinished(() => redis.close());
  return { SIGNALBOX_REDIS_URL: redis.url };
}

test('on a terminal an expired approval is shown before its late answer is accepted', async () => {
  await using own = await openTestRuntime({ settings: settings('1s') });
  const { result, id } = await asked(own);
  await result;
  const questions: string[] = [];
  const terminal = createTestTerminal(own.workspace, {
    onAsked: () => undefined,
    typed(question) {
      questions.push(question);
      return 'y';
    },
  });
  const { talk } = await terminal.signalbox('approve', id);
  expect(questions).toEqual(['Approve it for the next identical call? [y/N] ']);
  expect(talk).toContain('touch a');
  expect((await own.call('openai', 'bash', { line: 'touch a' })).success).toBe(true);
});

test('POST /api/approvals/ID/extend extends the expiry, only for the call that was seen', async () => {
  await using server = await openTestServer({ settings: settings('10m') });
  const { commandId } = server.of.submit('openai', 'bash', { args: { line: 'touch a' } });
  const { callHash, expiresAt } = await server.of.event(
    'approval_requested',
    (event) => event.commandId === commandId,
  );
  const path = `/api/approvals/${commandId}/extend`;
  const stale = await server.ask('POST', path, { body: { callHash: '0'.repeat(64), ms: 300_000 } });
  expect(stale.status).toBe(409);
  const { status, body } = await server.ask('POST', path, { body: { callHash, ms: 300_000 } });
  expect(status).toBe(200);
  expect(body).toMatchObject({ approval: { status: 'pending', expiresAt: expiresAt + 300_000 } });
});

test('signalbox approve lists expired approvals that can still be answered', async () => {
  await using own = await openTestRuntime({ settings: settings('1s') });
  const { result, id } = await asked(own);
  await result;
  const { talk, exit } = await createTestTerminal(own.workspace).signalbox('approve');
  expect([exit, talk]).toEqual([
    0,
    expect.stringMatching(
      new RegExp(
        `Expired; an answer applies to the next identical call:\\n  signalbox approve ${id}  openai  bash touch a`,
      ),
    ),
  ]);
});
