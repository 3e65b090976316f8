import { truncateSync, writeFileSync } from 'node:fs';
import { verifyAudit } from './audit/verify-audit.ts';
import { UnavailableError } from '@signalbox/core';
import { expect, test } from 'vitest';
import { ANA, createStage, FREE } from './testing/coordinator-stage.ts';

test('a safe call runs and leaves one result, one audit line and its events in order', async () => {
  const stage = createStage();
  const coordinator = await stage.start();
  const submitted = stage.submit(coordinator, 'say', { text: 'hello' });
  expect(submitted.status).toBe('pending');
  const result = await submitted.result;
  expect(result).toMatchObject({ success: true, content: 'hello', tool: 'echo', title: 'echo hello' });
  expect(await submitted.resting).toBe('running');
  expect(submitted.status).toBe('completed');
  expect(await stage.endingOf(submitted)).toEqual(['completed', 'completed', 'completed']);
  expect((await stage.told()).map(({ type }) => type)).toEqual([
    'coordinator_started',
    'command_submitted',
    'command_classified',
    'command_approved',
    'command_queued',
    'command_started',
    'command_completed',
  ]);
  expect((await stage.scheduler().snapshot()).leases).toEqual([]);
});

test('command_started says what runs, for whom and in which process (S003-48, S003-49)', async () => {
  const stage = createStage();
  const coordinator = await stage.start();
  const { result, commandId } = stage.submit(coordinator, 'say', { text: 'hello' });
  await result;
  expect(await stage.told('command_started')).toMatchObject([
    { commandId, provider: 'openai', command: 'hello', pid: 1 },
  ]);
});

test('an unknown tool, wrong arguments and a path outside are refused, and audited with what was asked for', async () => {
  const stage = createStage(FREE);
  const coordinator = await stage.start();
  const calls = [
    ['nope', { a: 1 }, 'ToolNotFound', { a: 1 }],
    ['echo', { text: 7 }, 'TypeMismatch', { text: 7 }],
    ['echo', '{"text":', 'InvalidParameters', { text: '{"text":' }],
    ['hold', { path: '../x' }, 'PolicyBlocked', { path: '../x' }],
  ] as const;
  for (const [tool, args, category, call] of calls) {
    const submitted = stage.submit(coordinator, tool, args);
    expect((await submitted.result).failure?.category).toBe(category);
    expect(stage.auditLines().at(-1)).toMatchObject({ command_id: submitted.commandId, call });
  }
  expect(stage.tools.handled).toEqual([]);
});

test('a denied call names the rule that denied it in audit and event', async () => {
  const stage = createStage({ approval: { approval_mode: 'deny_all' } });
  const coordinator = await stage.start();
  const submitted = stage.submit(coordinator, 'hold', { path: 'a' });
  expect((await submitted.result).outcome.kind).toBe('denied');
  const { rule } = stage.auditLines().at(-1) ?? {};
  expect(rule).toEqual(expect.any(String));
  expect(await stage.told('command_denied')).toMatchObject([{ rule }]);
});

test('with an audit log that can’t be written nothing completes and nothing starts, until it can', async () => {
  const stage = createStage(FREE);
  const coordinator = await stage.start({ auditFile: '/dev/full' });
  const ran = stage.submit(coordinator, 'echo', { text: 'a' });
  const waiting = stage.submit(coordinator, 'hold', { path: 'a' });
  expect((await ran.result).failure?.code).toBe('audit-unavailable');
  expect((await stage.record(ran.commandId)).result?.success).toBe(false);
  const refused = await stage.submit(coordinator, 'echo', { text: 'b' }).result;
  expect(refused.failure?.code).toBe('audit-unavailable');
  expect(stage.tools.handled).toHaveLength(2);
  stage.tools.letGo(waiting.commandId);
  expect((await waiting.result).success).toBe(false);
  expect((await stage.told('command_completed')).length).toBe(0);
  await coordinator.close();
});

test('a command that finds the audit log broken when its turn comes is refused', async () => {
  const stage = createStage(FREE);
  const coordinator = await stage.start({ auditFile: '/dev/full' });
  const first = stage.submit(coordinator, 'hold', { path: 'a' });
  const second = stage.submit(coordinator, 'hold', { path: 'a' });
  expect(await second.resting).toBe('queued');
  await stage.settle();
  stage.tools.letGo(first.commandId);
  expect((await second.result).success).toBe(false);
  expect(stage.tools.handled).toEqual([first.commandId]);
  expect((await stage.scheduler().snapshot()).leases).toEqual([]);
});

test('the audit log holds together over restarts, and a second close does nothing', async () => {
  const stage = createStage(FREE);
  for (let round = 0; round < 3; round++) {
    const coordinator = await stage.start();
    await stage.submit(coordinator, 'echo', { text: 'a' }).result;
    await Promise.all([coordinator.close(), coordinator.close()]);
  }
  expect(await verifyAudit(stage.auditFile)).toMatchObject({ lines: 3, commands: 3, problems: [] });
  expect(await stage.told('coordinator_stopped')).toHaveLength(3);
});

test('close() stops what runs, keeps what waits for the next start, and starts nothing more', async () => {
  const stage = createStage({ approval: { auto_approve: [] } });
  const coordinator = await stage.start({}, FREE);
  const runs = stage.submit(coordinator, 'hold', { path: 'a' });
  const queued = stage.submit(coordinator, 'hold', { path: 'a' });
  expect(await queued.resting).toBe('queued');
  const submittedLate = stage.submit(coordinator, 'echo', { text: 'just before' });
  await coordinator.close();
  expect((await runs.result).outcome).toMatchObject({ kind: 'cancelled' });
  expect(['approved', 'done']).toContain((await stage.record(submittedLate.commandId)).state);
  expect((await stage.record(queued.commandId)).state).toBe('queued');
  expect(() => stage.submit(coordinator, 'echo', { text: 'late' })).toThrow(UnavailableError);
  const again = await stage.start({}, FREE);
  await stage.settle();
  expect(stage.tools.handled).toContain(queued.commandId);
  stage.tools.letGo(queued.commandId);
  await stage.settle();
  expect((await stage.record(queued.commandId)).result?.outcome.kind).toBe('completed');
  expect(await again.status(submittedLate.commandId)).toMatchObject({ state: 'done' });
});

test('a call that comes while it closes is cancelled, with a result and an audit line', async () => {
  const stage = createStage(FREE);
  const coordinator = await stage.start();
  const closing = coordinator.close();
  const submitted = stage.submit(coordinator, 'echo', { text: 'a' });
  await closing;
  expect((await submitted.result).outcome.kind).toBe('cancelled');
  expect(await stage.endingOf(submitted)).toEqual(['cancelled', 'cancelled', 'cancelled']);
});

test('an event log that fails at the end does not keep the audit log open', async () => {
  const stage = createStage(FREE);
  const coordinator = await stage.start();
  stage.setFaults((port) => (port === 'events' ? new Error('events gone') : undefined));
  await expect(coordinator.close()).rejects.toThrow('events gone');
  expect(() => stage.submit(coordinator, 'echo', { text: 'a' })).toThrow(UnavailableError);
});

test('a command found running is lost, one that only the audit ended keeps that ending', async () => {
  const stage = createStage();
  const coordinator = await stage.start({}, FREE);
  const crashed = stage.submit(coordinator, 'hold', { path: 'a' });
  await crashed.resting;
  const asked = stage.submit(await stage.start(), 'hold', { path: 'b' });
  expect(await asked.resting).toBe('pending');
  const again = await stage.start();
  expect((await stage.record(crashed.commandId)).result?.outcome.kind).toBe('lost');

  // The audit line is written, the record's commit never comes.
  stage.setFaults((port, method) =>
    port === 'store' && method === 'commit' ? new Error('gone') : undefined,
  );
  expect(await again.cancel(asked.commandId, 'ana')).toEqual({ kind: 'cancelled' });
  stage.setFaults(() => undefined);
  const last = await stage.start();
  expect((await stage.record(asked.commandId)).result?.outcome).toMatchObject({
    kind: 'cancelled',
    failure: { message: 'Cancelled by ana: no reason given' },
  });
  expect(await last.approvals.pending()).toEqual([]);
  expect((await verifyAudit(stage.auditFile)).problems).toEqual([]);
});

test('what was approved under another policy, line or set of tools does not run after a restart', async () => {
  // Where the line or the tool is gone, so is the script that the question showed.
  const changes = [
    [
      {},
      { agents: { 'local-2': { trust: 'trusted' } }, approval: { expiry: '6m' } },
      'granted',
      'checked-again',
    ],
    [{ lines: { tests: 'npm run evil', lint: null } }, {}, 'granted', 'checked-again'],
    [{ lines: { tests: null, lint: null } }, {}, 'files-changed', 'no-line'],
    [{ tools: 'none' }, {}, 'files-changed', 'checked-again'],
  ] as const;
  for (const [overrides, settings, answered, code] of changes) {
    const stage = createStage();
    const before = await stage.start();
    const submitted = stage.submit(before, 'check', {}, { trust: 'untrusted' });
    expect(await submitted.resting).toBe('pending');
    const [asked] = await before.approvals.pending();
    const tools =
      'tools' in overrides ? { tools: (await import('@signalbox/core')).createToolRegistry([]) } : overrides;
    const after = await stage.start(
      tools,
      'approval' in settings ? { approval: settings.approval } : settings,
    );
    const approve = async (question: typeof asked) => {
      const hash = question?.approval?.callHash;
      if (hash === undefined) throw new Error('nothing asked');
      const answer = await after.approvals.answer(submitted.commandId, { kind: 'approve' }, ANA, hash);
      await stage.settle();
      return answer.kind;
    };
    expect(await approve(asked)).toBe(answered);
    const [anew] = await after.approvals.pending();
    if (anew !== undefined) await approve(anew);
    const record = await stage.record(submitted.commandId);
    expect(record.result?.outcome).toMatchObject({ failure: { code } });
    expect(stage.tools.handled).toEqual([]);
  }
});

test('output(), status(), list() and cancel() know what is stored and what is not', async () => {
  const stage = createStage(FREE);
  const coordinator = await stage.start();
  const submitted = stage.submit(coordinator, 'shell', { line: 'echo hi' });
  expect(await coordinator.output(submitted.commandId)).toBeNull();
  await submitted.result;
  expect(await coordinator.output(submitted.commandId)).toMatchObject({ stdout: '', truncated: false });
  expect(await coordinator.status(submitted.commandId)).toMatchObject({ state: 'done' });
  expect(await coordinator.list({})).toHaveLength(1);
  expect(await coordinator.queue()).toEqual({ waiting: [], leases: [] });
  expect(await coordinator.cancel(submitted.commandId, 'ana')).toMatchObject({ kind: 'already-done' });
  const stranger = createStage();
  const { commandId } = stranger.submit(await stranger.start(), 'echo', { text: 'x' });
  expect(
    await createStage(FREE)
      .start()
      .then((other) => other.cancel(commandId, 'ana')),
  ).toEqual({ kind: 'unknown' });
});

test('a start fails clearly when the audit log can’t be opened', async () => {
  const stage = createStage();
  await expect(stage.start({ auditFile: '/nonexistent/audit.jsonl' })).rejects.toThrow(UnavailableError);
});

test('the history is rotated at a start and now and then', async () => {
  const settings = { ...FREE, execution: { execution_history_limit: 5, history_max_age: 0 } };
  const stage = createStage(settings);
  const coordinator = await stage.start();
  for (let n = 0; n < 20; n++) await stage.submit(coordinator, 'echo', { text: 'a' }).result;
  await coordinator.close();
  await stage.clock.advance(1);
  await stage.start();
  expect((await stage.store.list({ limit: 100 })).length).toBe(5);
  truncateSync(stage.auditFile, 0);
  writeFileSync(stage.auditFile, '');
});
