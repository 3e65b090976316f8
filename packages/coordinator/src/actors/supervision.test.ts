import { aProviderId } from '@signalbox/core/testing';
import { expect, test } from 'vitest';
import { createBudget } from '../session/budget.ts';
import { PROVIDER, read, SESSION, setStage } from '../session/testing/session-stage.ts';
import { ANA, createStage, FREE } from '../testing/coordinator-stage.ts';

const GONE = new Error('gone with hunter2-hunter2');

test('a command in which a part of ours throws has one result, failed, and all others go on', async () => {
  const stage = createStage(FREE);
  const coordinator = await stage.start();
  let commits = 0;
  stage.setFaults((port, method) => {
    if (port !== 'store' || method !== 'commit') return undefined;
    commits += 1;
    return commits === 1 ? GONE : undefined;
  });
  const broken = stage.submit(coordinator, 'echo', { text: 'a' });
  expect((await broken.result).outcome.kind).toBe('failed');
  const { faults, commands, coordinator: root } = await coordinator.actors();
  expect(faults).toEqual([
    { actor: broken.commandId, why: expect.stringMatching(/^gone with (?!hunter2)/), at: stage.clock.now() },
  ]);
  expect([root.state, commands.first]).toEqual(['leading', []]);
  expect((await stage.submit(coordinator, 'echo', { text: 'b' }).result).outcome.kind).toBe('completed');
  expect(stage.logger.lines.map(({ message }) => message)).toContain('actor failed');
});

test('a session that throws ends as failed and is told so; the coordinator and its other sessions go on', async () => {
  const coordinator = await createStage(FREE).start();
  const { sessions } = coordinator;
  const stage = setStage([{ kind: 'answer', text: 'Done.' }]);
  const isSpent = (): never => {
    throw GONE;
  };
  const broken = stage.start({ sessions, budget: { ...createBudget(null), isSpent } });
  expect(await broken.finished).toMatchObject({ finish: 'failed' });
  expect(stage.events.at(-1)).toMatchObject({ type: 'session_ended', finish: 'failed' });
  const after = await coordinator.actors();
  expect([after.sessions.count, after.faults, after.coordinator.state]).toEqual([
    0,
    [expect.objectContaining({ actor: SESSION })],
    'leading',
  ]);
  expect(await stage.start({ sessions }).finished).toMatchObject({ finish: 'finished' });
});

test('a session is named with its state, and has its last words after the coordinator is closed', async () => {
  const coordinator = await createStage(FREE).start();
  const stage = setStage([{ kind: 'answer', calls: [read('c1')] }]);
  const handle = stage.start({ sessions: coordinator.sessions });
  await stage.submitted(1);
  expect((await coordinator.actors()).sessions).toEqual({
    count: 1,
    first: [{ id: SESSION, provider: PROVIDER, state: 'calling', since: stage.clock.now() }],
  });
  await coordinator.close();
  handle.cancel('closed');
  stage.commands[0]?.end('cancelled', 'cancelled');
  expect(await handle.finished).toMatchObject({ finish: 'cancelled', message: 'closed' });
  expect(stage.events.at(-1)).toMatchObject({ type: 'session_ended' });
  expect((await coordinator.actors()).sessions.count).toBe(0);
});

test('when what watches the mode throws, people are warned, and the mode still counts and can be set', async () => {
  const stage = createStage(FREE);
  const watch: typeof stage.facts.watch = (key, changed) => {
    if (key === 'mode') throw GONE;
    return stage.facts.watch?.(key, changed) ?? (() => undefined);
  };
  const coordinator = await stage.start({ facts: { ...stage.facts, watch } });
  await stage.settle();
  expect(await coordinator.setMode('ALERT', 'ana', 'to see')).toMatchObject({ mode: 'ALERT' });
  const { mode, faults } = await coordinator.actors();
  expect(mode).toMatchObject({ mode: 'ALERT', watched: false });
  expect(faults).toMatchObject([{ actor: 'mode-watch' }]);
  const warnings = await stage.told('warning_raised');
  expect(warnings).toMatchObject([{ code: 'part-failed', message: expect.stringContaining('mode-watch') }]);
  expect(JSON.stringify(warnings)).not.toContain('hunter2-hunter2');
  expect((await stage.submit(coordinator, 'echo', { text: 'b' }).result).outcome.kind).toBe('completed');
});

test('the actors are those that are there: states are counted, 20 are named, and all end with the coordinator', async () => {
  const stage = createStage();
  const coordinator = await stage.start({ inspect: true });
  const all = Array.from({ length: 25 }, (_, n) =>
    stage.submit(coordinator, 'shell', { line: `rm -rf src${n}` }, { provider: aProviderId(`p${n}`) }),
  );
  await Promise.all(all.map(({ resting }) => resting));
  const { commands, approvals } = await coordinator.actors();
  expect([commands.states, commands.first.length, approvals]).toEqual([
    { awaiting_approval: 25 },
    20,
    { waiting: 25 },
  ]);
  const [first] = all;
  if (first !== undefined) await coordinator.cancel(first.commandId, ANA.name);
  expect((await coordinator.actors()).approvals).toEqual({ waiting: 24 });
  coordinator.policyChanged('files');
  coordinator.drain();
  expect(coordinator.isEnding()).toBe(true);
  expect(await coordinator.actors()).toMatchObject({
    coordinator: { state: 'draining' },
    settings: { files: { state: 'changed', at: stage.clock.now() }, mcp_servers: null },
  });
  await coordinator.close();
  expect(await coordinator.actors()).toMatchObject({ coordinator: { state: 'closed' } });
  const steps = stage.logger.lines.filter(({ message }) => message.endsWith(' step'));
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
