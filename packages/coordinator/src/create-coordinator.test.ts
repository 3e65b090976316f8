import { truncateSync, writeFileSync } from 'node:fs';
import { verifyAudit } from './audit/verify-audit.ts';
import { UnavailableError } from '@signalbox/core';
import { expect, test } from 'vitest';
import { ANA, createHarness, FREE } from './testing/coordinator-harness.ts';

test('a safe call runs and leaves one result, one audit line and its events in order (S000-25…S000-27, S000-47, S003-08, S003-21, S003-55)', async () => {
  const harness = createHarness();
  const coordinator = await harness.start();
  const submitted = harness.submit(coordinator, 'say', { text: 'hello' });
  expect(submitted.status).toBe('pending');
  const result = await submitted.result;
  expect(result).toMatchObject({ success: true, content: 'hello', tool: 'echo', title: 'echo hello' });
  expect(await submitted.resting).toBe('running');
  expect(submitted.status).toBe('completed');
  expect(await harness.endingOf(submitted)).toEqual(['completed', 'completed', 'completed']);
  expect((await harness.reported()).map(({ type }) => type)).toEqual([
    'coordinator_started',
    'command_submitted',
    'command_classified',
    'command_approved',
    'command_queued',
    'command_started',
    'command_completed',
  ]);
  expect((await harness.scheduler().snapshot()).leases).toEqual([]);
});

test('command_started names the command, its caller and the process (S003-48, S003-49, L-18)', async () => {
  const harness = createHarness();
  const coordinator = await harness.start();
  const { result, commandId } = harness.submit(coordinator, 'say', { text: 'hello' });
  await result;
  expect(await harness.reported('command_started')).toMatchObject([
    { commandId, provider: 'openai', command: 'hello', pid: 1 },
  ]);
});

test('an unknown tool, wrong arguments and a path outside are rejected, and audited with the requested arguments (S000-62, S002-44, S004-31)', async () => {
  const harness = createHarness(FREE);
  const coordinator = await harness.start();
  const calls = [
    ['nope', { a: 1 }, 'ToolNotFound', { a: 1 }],
    ['echo', { text: 7 }, 'TypeMismatch', { text: 7 }],
    ['echo', '{"text":', 'InvalidParameters', { text: '{"text":' }],
    ['hold', { path: '../x' }, 'PolicyBlocked', { path: '../x' }],
  ] as const;
  for (const [tool, args, category, call] of calls) {
    const submitted = harness.submit(coordinator, tool, args);
    expect((await submitted.result).failure?.category).toBe(category);
    expect(harness.auditLines().at(-1)).toMatchObject({ command_id: submitted.commandId, call });
  }
  expect(harness.tools.handled).toEqual([]);
});

test('audit and event of a denied call name the rule that denied it', async () => {
  const harness = createHarness({ approval: { approval_mode: 'deny_all' } });
  const coordinator = await harness.start();
  const submitted = harness.submit(coordinator, 'hold', { path: 'a' });
  expect((await submitted.result).outcome.kind).toBe('denied');
  const { rule } = harness.auditLines().at(-1) ?? {};
  expect(rule).toEqual(expect.any(String));
  expect(await harness.reported('command_denied')).toMatchObject([{ rule }]);
});

test('while the audit log can’t be written nothing completes and nothing starts (S001-42, X-26)', async () => {
  const harness = createHarness(FREE);
  const coordinator = await harness.start({ auditFile: '/dev/full' });
  const ran = harness.submit(coordinator, 'echo', { text: 'a' });
  const waiting = harness.submit(coordinator, 'hold', { path: 'a' });
  expect((await ran.result).failure?.code).toBe('audit-unavailable');
  expect((await harness.record(ran.commandId)).result?.success).toBe(false);
  const refused = await harness.submit(coordinator, 'echo', { text: 'b' }).result;
  expect(refused.failure?.code).toBe('audit-unavailable');
  expect(harness.tools.handled).toHaveLength(2);
  harness.tools.release(waiting.commandId);
  expect((await waiting.result).success).toBe(false);
  expect((await harness.reported('command_completed')).length).toBe(0);
  await coordinator.close();
});

test('a command is refused if the audit log is broken when its turn comes', async () => {
  const harness = createHarness(FREE);
  const coordinator = await harness.start({ auditFile: '/dev/full' });
  const first = harness.submit(coordinator, 'hold', { path: 'a' });
  const second = harness.submit(coordinator, 'hold', { path: 'a' });
  expect(await second.resting).toBe('queued');
  await harness.settle();
  harness.tools.release(first.commandId);
  expect((await second.result).success).toBe(false);
  expect(harness.tools.handled).toEqual([first.commandId]);
  expect((await harness.scheduler().snapshot()).leases).toEqual([]);
});

test('the audit log is one chain across restarts, and a second close does nothing', async () => {
  const harness = createHarness(FREE);
  for (let round = 0; round < 3; round++) {
    const coordinator = await harness.start();
    await harness.submit(coordinator, 'echo', { text: 'a' }).result;
    await Promise.all([coordinator.close(), coordinator.close()]);
  }
  expect(await verifyAudit(harness.auditFile)).toMatchObject({ lines: 3, commands: 3, problems: [] });
  expect(await harness.reported('coordinator_stopped')).toHaveLength(3);
});

test('close() stops running commands, keeps waiting ones for the next start, and starts nothing more', async () => {
  const harness = createHarness({ approval: { auto_approve: [] } });
  const coordinator = await harness.start({}, FREE);
  const runs = harness.submit(coordinator, 'hold', { path: 'a' });
  const queued = harness.submit(coordinator, 'hold', { path: 'a' });
  expect(await queued.resting).toBe('queued');
  const submittedLate = harness.submit(coordinator, 'echo', { text: 'just before' });
  await coordinator.close();
  expect((await runs.result).outcome).toMatchObject({ kind: 'cancelled' });
  expect(['approved', 'done']).toContain((await harness.record(submittedLate.commandId)).state);
  expect((await harness.record(queued.commandId)).state).toBe('queued');
  expect(() => harness.submit(coordinator, 'echo', { text: 'late' })).toThrow(UnavailableError);
  const again = await harness.start({}, FREE);
  await harness.settle();
  expect(harness.tools.handled).toContain(queued.commandId);
  harness.tools.release(queued.commandId);
  await harness.settle();
  expect((await harness.record(queued.commandId)).result?.outcome.kind).toBe('completed');
  expect(await again.status(submittedLate.commandId)).toMatchObject({ state: 'done' });
});

test('a call that arrives during closing is cancelled, with a result and an audit line', async () => {
  const harness = createHarness(FREE);
  const coordinator = await harness.start();
  const closing = coordinator.close();
  const submitted = harness.submit(coordinator, 'echo', { text: 'a' });
  await closing;
  expect((await submitted.result).outcome.kind).toBe('cancelled');
  expect(await harness.endingOf(submitted)).toEqual(['cancelled', 'cancelled', 'cancelled']);
});

test('an event log that fails at the end does not keep the audit log open', async () => {
  const harness = createHarness(FREE);
  const coordinator = await harness.start();
  harness.setFaults((port) => (port === 'events' ? new Error('events gone') : undefined));
  await expect(coordinator.close()).rejects.toThrow('events gone');
  expect(() => harness.submit(coordinator, 'echo', { text: 'a' })).toThrow(UnavailableError);
});

test('a command found running is lost, and one that ended only in the audit keeps that ending (L-38)', async () => {
  const harness = createHarness();
  const coordinator = await harness.start({}, FREE);
  const crashed = harness.submit(coordinator, 'hold', { path: 'a' });
  await crashed.resting;
  const asked = harness.submit(await harness.start(), 'hold', { path: 'b' });
  expect(await asked.resting).toBe('pending');
  const again = await harness.start();
  expect((await harness.record(crashed.commandId)).result?.outcome.kind).toBe('lost');

  // The audit line is written, but the record is never committed.
  harness.setFaults((port, method) =>
    port === 'store' && method === 'commit' ? new Error('gone') : undefined,
  );
  expect(await again.cancel(asked.commandId, { by: 'ana' })).toEqual({ kind: 'cancelled' });
  harness.setFaults(() => undefined);
  const last = await harness.start();
  expect((await harness.record(asked.commandId)).result?.outcome).toMatchObject({
    kind: 'cancelled',
    failure: { message: 'Cancelled by ana: no reason given' },
  });
  expect(await last.approvals.pending()).toEqual([]);
  expect((await verifyAudit(harness.auditFile)).problems).toEqual([]);
});

test('a call approved under another policy, line or set of tools does not run after a restart', async () => {
  // If the line or the tool is gone, so is the script that the approval request showed.
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
    const harness = createHarness();
    const before = await harness.start();
    const submitted = harness.submit(before, 'check', {}, { trust: 'untrusted' });
    expect(await submitted.resting).toBe('pending');
    const [asked] = await before.approvals.pending();
    const tools =
      'tools' in overrides ? { tools: (await import('@signalbox/core')).createToolRegistry([]) } : overrides;
    const after = await harness.start(
      tools,
      'approval' in settings ? { approval: settings.approval } : settings,
    );
    const approve = async (question: typeof asked) => {
      const hash = question?.approval?.callHash;
      if (hash === undefined) throw new Error('nothing asked');
      const answer = await after.approvals.answer(
        submitted.commandId,
        { kind: 'approve' },
        { by: ANA, expect: hash },
      );
      await harness.settle();
      return answer.kind;
    };
    expect(await approve(asked)).toBe(answered);
    const [requested] = await after.approvals.pending();
    if (requested !== undefined) await approve(requested);
    const record = await harness.record(submitted.commandId);
    expect(record.result?.outcome).toMatchObject({ failure: { code } });
    expect(harness.tools.handled).toEqual([]);
  }
});

test('output(), status(), list() and cancel() distinguish stored and unknown commands (S003-10)', async () => {
  const harness = createHarness(FREE);
  const coordinator = await harness.start();
  const submitted = harness.submit(coordinator, 'shell', { line: 'echo hi' });
  expect(await coordinator.output(submitted.commandId)).toBeNull();
  await submitted.result;
  expect(await coordinator.output(submitted.commandId)).toMatchObject({ stdout: '', truncated: false });
  expect(await coordinator.status(submitted.commandId)).toMatchObject({ state: 'done' });
  expect(await coordinator.list({})).toHaveLength(1);
  expect(await coordinator.queue()).toEqual({ waiting: [], leases: [] });
  expect(await coordinator.cancel(submitted.commandId, { by: 'ana' })).toMatchObject({
    kind: 'already-done',
  });
  const stranger = createHarness();
  const { commandId } = stranger.submit(await stranger.start(), 'echo', { text: 'x' });
  expect(
    await createHarness(FREE)
      .start()
      .then((other) => other.cancel(commandId, { by: 'ana' })),
  ).toEqual({ kind: 'unknown' });
});

test('a start fails with a clear error if the audit log can’t be opened', async () => {
  const harness = createHarness();
  await expect(harness.start({ auditFile: '/nonexistent/audit.jsonl' })).rejects.toThrow(UnavailableError);
});

test('the history is rotated at a start and periodically', async () => {
  const settings = { ...FREE, execution: { execution_history_limit: 5, history_max_age: 0 } };
  const harness = createHarness(settings);
  const coordinator = await harness.start();
  for (let n = 0; n < 20; n++) await harness.submit(coordinator, 'echo', { text: 'a' }).result;
  await coordinator.close();
  await harness.clock.advance(1);
  await harness.start();
  expect((await harness.store.list({ limit: 100 })).length).toBe(5);
  truncateSync(harness.auditFile, 0);
  writeFileSync(harness.auditFile, '');
});
