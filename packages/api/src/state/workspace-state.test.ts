import * as fc from 'fast-check';
import { EventId } from '@signalbox/core';
import { aProviderId } from '@signalbox/core/testing';
import { expect, test } from 'vitest';
import { aSessionView, aSnapshot } from '../testing/builders.ts';
import { simulate, type SimulatedStep } from '../testing/simulate.ts';
import { applyEvents, type WorkspaceState, workspaceStateOf } from './workspace-state.ts';

const steps: fc.Arbitrary<SimulatedStep[]> = fc.array(fc.record({ of: fc.nat(6), way: fc.nat(59) }), {
  maxLength: 60,
  size: 'max',
});
const cut = fc.nat(60);

/** Only unfinished commands count as blockers. */
function shown(state: WorkspaceState): object {
  const commands = [...state.commands.values()].map((command) => ({
    ...command,
    blockers: command.blockers.filter((id) => state.commands.get(id)?.state !== 'done'),
  }));
  return { ...state, commands, sessions: [...state.sessions.values()] };
}

function at(snapshots: readonly ReturnType<typeof aSnapshot>[], index: number): WorkspaceState {
  return workspaceStateOf(snapshots[Math.min(index, snapshots.length - 1)] ?? aSnapshot());
}

test('a snapshot and the events after it equal a later snapshot', () => {
  fc.assert(
    fc.property(steps, cut, (what, from) => {
      const { events, snapshots } = simulate(what);
      // All events, including those in the snapshot: a stream may begin before it.
      const followed = applyEvents(at(snapshots, from), events);
      expect(shown(followed)).toEqual(shown(at(snapshots, snapshots.length - 1)));
    }),
  );
});

test('any split of the stream, with any part of it repeated, gives the same state', () => {
  fc.assert(
    fc.property(steps, cut, cut, (what, first, second) => {
      const { events, snapshots } = simulate(what);
      const [from, to] = [Math.min(first, second), Math.max(first, second)];
      const begin = at(snapshots, 0);
      const parts = [events.slice(0, to), events.slice(from, to), events.slice(from)];
      expect(parts.reduce(applyEvents, begin)).toEqual(applyEvents(begin, events));
      const single = events.reduce((state, event) => applyEvents(state, [event]), begin);
      expect(single).toEqual(applyEvents(begin, events));
    }),
  );
});

test('after `reset` only the next snapshot counts, whatever was missed', () => {
  fc.assert(
    fc.property(steps, cut, cut, (what, lost, found) => {
      const { events, snapshots } = simulate(what);
      const seen = applyEvents(at(snapshots, 0), events.slice(0, lost));
      const again = applyEvents(at(snapshots, Math.max(lost, found)), events);
      expect(again.lastEventId).toBe(applyEvents(seen, events).lastEventId);
      expect(shown(again)).toEqual(shown(at(snapshots, snapshots.length - 1)));
    }),
  );
});

test('what no event touches keeps its identity, and without new events the state is the same', () => {
  const { events, snapshots } = simulate([
    { of: 0, way: 0 },
    { of: 1, way: 0 },
    { of: 0, way: 0 },
  ]);
  const before = applyEvents(at(snapshots, 0), events.slice(0, 2));
  const after = applyEvents(before, events);
  const [changed, same] = [...before.commands.keys()];
  expect(after.commands.get(same ?? '')).toBe(before.commands.get(same ?? ''));
  expect(after.commands.get(changed ?? '')).not.toBe(before.commands.get(changed ?? ''));
  expect(applyEvents(after, events)).toBe(after);
});

test('memory is bounded: of 300 ended sessions the last 200 are kept, and the running one', () => {
  const sessions = Array.from({ length: 300 }, (_, n) =>
    aSessionView({
      id: `ses_a${String(n).padStart(11, '0')}` as ReturnType<typeof aSessionView>['id'],
      state: n === 0 ? 'running' : 'ended',
    }),
  );
  const state = workspaceStateOf(aSnapshot({ sessions }));
  const [event] = simulate([{ of: 6, way: 0 }]).events;
  const kept = applyEvents(
    state,
    event === undefined ? [] : [{ ...event, id: EventId.parse('9-9') }],
  ).sessions;
  expect(kept.size).toBe(200);
  expect([...kept.values()][0]?.state).toBe('running');
});

test('a mode that is set for a time says when it ends', () => {
  const { events, snapshots } = simulate([{ of: 6, way: 0 }]);
  expect(applyEvents(at(snapshots, 0), events).mode.back).toEqual({ at: 2000, to: 'NORMAL' });
});

test('each start of a command behind the listed ones lowers their count by one', () => {
  const walk = Array.from({ length: 6 }, () => ({ of: 0, way: 2 }));
  const { events, snapshots } = simulate(walk);
  const counts = [{ state: 'queued' as const, provider: aProviderId(), commands: 3 }];
  const behind = workspaceStateOf(
    aSnapshot({ lastEventId: null, queue: { waiting: [], leases: [], counts } }),
  );
  expect(behind.unlisted).toBe(3);
  const started = events.filter(({ type }) => type === 'command_started');
  const after = applyEvents(behind, started);
  expect([after.unlisted, [...after.commands.values()].map(({ state }) => state)]).toEqual([2, ['running']]);
  expect(applyEvents(at(snapshots, 0), events).unlisted).toBe(0);
});
