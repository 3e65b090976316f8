import { expect, test } from 'vitest';
import { ANA, anExecution, createHarness, FREE } from '../testing/coordinator-harness.ts';

const GONE = new Error('gone');

test('a command whose first commit fails ends once, recorded and audited, and nothing runs', async () => {
  const harness = createHarness(FREE);
  const coordinator = await harness.start();
  let commits = 0;
  harness.setFaults((port, method) => {
    if (port !== 'store' || method !== 'commit') return undefined;
    commits += 1;
    return commits === 1 ? GONE : undefined;
  });
  const submitted = harness.submit(coordinator, 'echo', { text: 'a' });
  expect((await submitted.result).outcome).toMatchObject({
    kind: 'failed',
    failure: { visibility: 'hidden' },
  });
  expect((await submitted.result).content).not.toContain('gone');
  expect(await harness.endingOf(submitted)).toEqual(['failed', 'failed', 'failed']);
  expect(harness.tools.handled).toEqual([]);
});

test('whichever call of the store or scheduler fails, once or for good, no lease leaks and one result is given', async () => {
  for (const [port, method] of [
    ['store', 'commit'],
    ['scheduler', 'enqueue'],
    ['scheduler', 'release'],
    ['scheduler', 'cancel'],
    ['facts', 'get'],
  ] as const) {
    for (const forGood of [false, true]) {
      for (let nth = 1; nth <= 6; nth++) {
        const harness = createHarness(FREE);
        const coordinator = await harness.start();
        let count = 0;
        harness.setFaults((somePort, someMethod) => {
          if (somePort !== port || someMethod !== method) return undefined;
          count += 1;
          return count === nth || (forGood && count > nth) ? GONE : undefined;
        });
        const first = harness.submit(coordinator, 'shell', { line: 'echo a > a.txt' });
        const second = harness.submit(coordinator, 'shell', { line: 'echo b > a.txt' });
        void harness.settle().then(() => coordinator.cancel(second.commandId, { by: 'ana' }));
        const results = await Promise.all([first.result, second.result]);
        for (const { record, commandId } of [first, second])
          expect([record.state, record.result]).toEqual([
            'done',
            results.find((result) => result.commandId === commandId),
          ]);
        harness.setFaults(() => undefined);
        const { leases, waiting } = await harness.scheduler().snapshot();
        const isReleased = leases.length === 0 || method === 'release';
        expect([port, method, forGood, nth, isReleased, waiting]).toEqual([
          port,
          method,
          forGood,
          nth,
          true,
          [],
        ]);
        const lines = harness.auditLines().map((line) => [line['command_id'], line['result']] as const);
        expect(lines).toHaveLength(2);
        expect(new Map(lines)).toEqual(
          new Map(results.map((result) => [result.commandId, result.outcome.kind])),
        );
        // If it could not be recorded, the next start settles it as the audit says, and never runs it again.
        const handled = harness.tools.handled.length;
        await harness.start();
        await harness.settle();
        expect(harness.tools.handled).toHaveLength(handled);
        for (const result of results) {
          expect((await harness.store.get(result.commandId))?.result?.outcome.kind ?? 'never stored').toBe(
            (await harness.store.get(result.commandId)) === null ? 'never stored' : result.outcome.kind,
          );
        }
        expect(harness.auditLines()).toHaveLength(2);
      }
    }
  }
});

test('a lease that can’t be released is released when the scheduler reports it lost', async () => {
  const harness = createHarness(FREE);
  const coordinator = await harness.start();
  harness.setFaults((_port, method) => (method === 'release' ? GONE : undefined));
  const submitted = harness.submit(coordinator, 'echo', { text: 'a' });
  expect((await submitted.result).outcome.kind).toBe('completed');
  harness.setFaults(() => undefined);
  expect((await harness.scheduler().snapshot()).leases).toHaveLength(1);
  await harness.clock.advance(31_000);
  expect((await harness.scheduler().snapshot()).leases).toEqual([]);
});

test('a command that waited too long ends cancelled, and does not run when its turn comes', async () => {
  const harness = createHarness({ ...FREE, sandbox: { resource_limits: { timeout_ms: 3_600_000 } } });
  const coordinator = await harness.start();
  const first = harness.submit(coordinator, 'hold', { path: 'a' }, { timeoutMs: 3_600_000 });
  const second = harness.submit(coordinator, 'hold', { path: 'a' });
  expect(await second.resting).toBe('queued');
  await harness.clock.advance(600_000);
  expect((await second.result).failure?.code).toBe('waited-too-long');
  expect(await harness.endingOf(second)).toEqual(['cancelled', 'cancelled', 'cancelled']);
  harness.tools.release(first.commandId);
  await first.result;
  expect(harness.tools.handled).toEqual([first.commandId]);
});

test('an eleventh waiting command of a provider is refused and audited', async () => {
  const harness = createHarness(FREE);
  const coordinator = await harness.start();
  const handles = Array.from({ length: 12 }, (_, n) =>
    harness.submit(coordinator, 'hold', { path: n === 0 ? 'a' : `a/${n}` }),
  );
  await harness.settle();
  const last = handles.at(-1);
  if (last === undefined) throw new Error('nothing submitted');
  expect((await last.result).failure).toMatchObject({ code: 'queue-full', category: 'RateLimited' });
  expect(await harness.endingOf(last)).toEqual(['denied', 'denied', 'denied']);
});

test('the mode is checked again when the turn comes: LOCKDOWN denies a queued command, a stricter mode asks', async () => {
  const harness = createHarness({ approval: { prompt_on_warning: false } });
  const coordinator = await harness.start({}, FREE);
  const first = harness.submit(coordinator, 'hold', { path: 'a' });
  const second = harness.submit(coordinator, 'hold', { path: 'a' });
  const third = harness.submit(coordinator, 'hold', { path: 'a' }, { asking: 'never' });
  await harness.settle();
  await coordinator.setMode('ALERT', { by: 'ana', reason: 'odd' });
  harness.tools.release(first.commandId);
  await harness.settle();
  expect((await harness.record(second.commandId)).state).toBe('awaiting_approval');
  expect((await third.result).failure?.code).toBe('approval-needed');
  await coordinator.setMode('LOCKDOWN', { by: 'ana', reason: 'odder' });
  const [asked] = await coordinator.approvals.pending();
  const hash = asked?.approval?.callHash;
  if (hash === undefined) throw new Error('nothing asked');
  await coordinator.approvals.answer(second.commandId, { kind: 'approve' }, { by: ANA, expect: hash });
  expect((await second.result).outcome.kind).toBe('denied');
  expect((await harness.scheduler().snapshot()).leases).toEqual([]);
});

test('secrets of a call are kept until it is done and are then gone from record, events and audit', async () => {
  const harness = createHarness(FREE);
  const coordinator = await harness.start();
  harness.setProgram(async (_request, hooks) => {
    hooks.onOutput('stdout', 'it is hunter2-');
    hooks.onOutput('stdout', 'hunter2!\n');
    return anExecution({ stdout: { text: 'it is hunter2-hunter2!\n', totalBytes: 23, truncated: false } });
  });
  const submitted = harness.submit(coordinator, 'shell', { line: 'echo hunter2-hunter2' });
  await submitted.result;
  expect(harness.requests[0]?.program).toEqual({ kind: 'shell', line: 'echo hunter2-hunter2' });
  const reported = JSON.stringify([
    await submitted.result,
    await harness.record(submitted.commandId),
    await harness.reported(),
    harness.auditLines(),
  ]);
  expect(reported).not.toContain('hunter2');
  expect(await harness.reported('command_output')).toMatchObject([{ output: 'it is [redacted:secret]!\n' }]);
});
