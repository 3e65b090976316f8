import { aProviderId } from '@signalbox/core/testing';
import { expect, test } from 'vitest';
import { createBudget } from '../session/budget.ts';
import { PROVIDER, read, SESSION, setUpHarness } from '../session/testing/session-harness.ts';
import { ANA, createHarness, FREE } from '../testing/coordinator-harness.ts';

const GONE = new Error('gone with hunter2-hunter2');

test('a command whose runner throws gets one result, failed, and all others continue (S004-30, U-06)', async () => {
  const harness = createHarness(FREE);
  const coordinator = await harness.start();
  let commits = 0;
  harness.setFaults((port, method) => {
    if (port !== 'store' || method !== 'commit') return undefined;
    commits += 1;
    return commits === 1 ? GONE : undefined;
  });
  const broken = harness.submit(coordinator, 'echo', { text: 'a' });
  expect((await broken.result).outcome.kind).toBe('failed');
  const { faults, commands, coordinator: root } = await coordinator.actors();
  expect(faults).toEqual([
    {
      actor: broken.commandId,
      why: expect.stringMatching(/^gone with (?!hunter2)/),
      at: harness.clock.now(),
    },
  ]);
  expect([root.state, commands.first]).toEqual(['leading', []]);
  expect((await harness.submit(coordinator, 'echo', { text: 'b' }).result).outcome.kind).toBe('completed');
  expect(harness.logger.lines.map(({ message }) => message)).toContain('actor failed');
});

test('a session that throws ends as failed and is reported so; the coordinator and its other sessions continue (U-06)', async () => {
  const coordinator = await createHarness(FREE).start();
  const { sessions } = coordinator;
  const harness = setUpHarness([{ kind: 'answer', text: 'Done.' }]);
  const isSpent = (): never => {
    throw GONE;
  };
  const broken = harness.start({ sessions, budget: { ...createBudget(null), isSpent } });
  expect(await broken.finished).toMatchObject({ finish: 'failed' });
  expect(harness.events.at(-1)).toMatchObject({ type: 'session_ended', finish: 'failed' });
  const after = await coordinator.actors();
  expect([after.sessions.count, after.faults, after.coordinator.state]).toEqual([
    0,
    [expect.objectContaining({ actor: SESSION })],
    'leading',
  ]);
  expect(await harness.start({ sessions }).finished).toMatchObject({ finish: 'finished' });
});

test('a session is listed with its state, and writes its last events after the coordinator is closed', async () => {
  const coordinator = await createHarness(FREE).start();
  const harness = setUpHarness([{ kind: 'answer', calls: [read('c1')] }]);
  const handle = harness.start({ sessions: coordinator.sessions });
  await harness.submitted(1);
  expect((await coordinator.actors()).sessions).toEqual({
    count: 1,
    first: [{ id: SESSION, provider: PROVIDER, state: 'calling', since: harness.clock.now() }],
  });
  await coordinator.close();
  handle.cancel('closed');
  harness.commands[0]?.end('cancelled', 'cancelled');
  expect(await handle.finished).toMatchObject({ finish: 'cancelled', message: 'closed' });
  expect(harness.events.at(-1)).toMatchObject({ type: 'session_ended' });
  expect((await coordinator.actors()).sessions.count).toBe(0);
});

test('when the actor that watches the mode throws, a warning is raised, and the mode still applies and can be set', async () => {
  const harness = createHarness(FREE);
  const watch: typeof harness.facts.watch = (key, changed) => {
    if (key === 'mode') throw GONE;
    return harness.facts.watch?.(key, changed) ?? (() => undefined);
  };
  const coordinator = await harness.start({ facts: { ...harness.facts, watch } });
  await harness.settle();
  expect(await coordinator.setMode('ALERT', { by: 'ana', reason: 'to see' })).toMatchObject({
    mode: 'ALERT',
  });
  const { mode, faults } = await coordinator.actors();
  expect(mode).toMatchObject({ mode: 'ALERT', watched: false });
  expect(faults).toMatchObject([{ actor: 'mode-watch' }]);
  const warnings = await harness.reported('warning_raised');
  expect(warnings).toMatchObject([{ code: 'part-failed', message: expect.stringContaining('mode-watch') }]);
  expect(JSON.stringify(warnings)).not.toContain('hunter2-hunter2');
  expect((await harness.submit(coordinator, 'echo', { text: 'b' }).result).outcome.kind).toBe('completed');
});

test('actors() counts commands by state, names 20 of them, and is empty after the coordinator is closed', async () => {
  const harness = createHarness();
  const coordinator = await harness.start({ inspect: true });
  const all = Array.from({ length: 25 }, (_, n) =>
    harness.submit(coordinator, 'shell', { line: `rm -rf src${n}` }, { provider: aProviderId(`p${n}`) }),
  );
  await Promise.all(all.map(({ resting }) => resting));
  const { commands, approvals } = await coordinator.actors();
  expect([commands.states, commands.first.length, approvals]).toEqual([
    { awaiting_approval: 25 },
    20,
    { waiting: 25 },
  ]);
  const [first] = all;
  if (first !== undefined) await coordinator.cancel(first.commandId, { by: ANA.name });
  expect((await coordinator.actors()).approvals).toEqual({ waiting: 24 });
  coordinator.policyChanged('files');
  coordinator.drain();
  expect(coordinator.isEnding()).toBe(true);
  expect(await coordinator.actors()).toMatchObject({
    coordinator: { state: 'draining' },
    settings: { files: { state: 'changed', at: harness.clock.now() }, mcp_servers: null },
  });
  await coordinator.close();
  expect(await coordinator.actors()).toMatchObject({ coordinator: { state: 'closed' } });
  const steps = harness.logger.lines.filter(({ message }) => message.endsWith(' step'));
  const ofParts = steps.flatMap(({ facts: { actor, event, from, state } }) =>
    actor === undefined ? [] : [[actor, event, from, state].join(' ')],
  );
  expect(ofParts).toEqual(
    expect.arrayContaining([
      'approvals approval.requested {"waiting":0} {"waiting":1}',
      'coordinator drain.requested open.leading open.draining',
      'coordinator close.requested open.draining closing',
      'coordinator parts.stopped closing closed',
    ]),
  );
  expect(ofParts.filter((step) => step.startsWith('settings source.changed'))).toHaveLength(1);
});
