import { type Claim, claimsConflict, Resource } from '@signalbox/core';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { emptyTrace, type Trace } from '../evidence/trace.ts';
import type { PlannedCommand } from '../plan/planned-command.ts';
import { findHistoryGaps } from './find-history-gaps.ts';
import { findLostUpdates } from './find-lost-updates.ts';
import { findOverlaps, type HeldClaim } from './find-overlaps.ts';
import { type QueuedArrival, findOvertakers } from './find-overtakers.ts';
import { findDoubleStarts, findLongWaits, findWrongResults } from './find-wrong-commands.ts';

const claims = fc.uniqueArray(
  fc.record({
    resource: fc.constantFrom(
      ...['workspace', 'tree:a', 'path:a/b', 'path:a/c', 'path:d', 'git:index'].map((name) =>
        Resource.parse(name),
      ),
    ),
    access: fc.constantFrom('read' as const, 'write' as const),
  }),
  { maxLength: 2, selector: ({ resource }) => resource },
) satisfies fc.Arbitrary<Claim[]>;

describe('overlaps are exactly those of the definition', () => {
  test('for any claims, commands and durations', () => {
    const one = fc.record({ claims, from: fc.nat(30), length: fc.nat(10) });
    fc.assert(
      fc.property(fc.array(one, { maxLength: 12 }), (list) => {
        const held: HeldClaim[] = list.map((item, key) => ({ key, ...item, to: item.from + item.length }));
        const found = findOverlaps(held).map(({ keys }) => keys.toSorted((a, b) => a - b).join());
        const expected = pairs(held)
          .filter(([a, b]) => inEachOther(a, b) && claimsConflict(a.claims, b.claims))
          .map(([a, b]) => `${a.key},${b.key}`);
        // Among three that start at once, the order of the first two is not reported.
        expect(new Set(found)).toEqual(new Set(expected));
      }),
    );
  });

  function inEachOther(a: HeldClaim, b: HeldClaim): boolean {
    const [first, second] = a.from <= b.from ? [a, b] : [b, a];
    return first.to > second.from;
  }
});

test('an overtaker is exactly a command sent after a conflicting one was queued that started before it', () => {
  const one = fc.record({ claims, submitted: fc.nat(20), waits: fc.option(fc.nat(5)), works: fc.nat(20) });
  fc.assert(
    fc.property(fc.array(one, { maxLength: 12 }), (list) => {
      const arrivals: QueuedArrival[] = list.map(({ submitted, waits, works, claims: of }, key) => ({
        key,
        claims: of,
        submitted,
        rested: waits === null ? null : submitted + waits,
        // Each start has its own moment, as in one log.
        started: submitted + (waits ?? 0) + works + key / 100,
      }));
      const found = new Set(findOvertakers(arrivals).map(({ keys }) => keys[1]));
      const expected = new Set(
        arrivals.filter((late) => arrivals.some((early) => isOvertaken(early, late))).map(({ key }) => key),
      );
      expect(found).toEqual(expected);
    }),
  );

  function isOvertaken(early: QueuedArrival, late: QueuedArrival): boolean {
    return (
      early.rested !== null &&
      early.rested < late.submitted &&
      early.started > late.started &&
      claimsConflict(early.claims, late.claims)
    );
  }
});

describe('lost updates', () => {
  test('are found for every order of counting, as soon as two commands use the same read', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 30 }), fc.nat(), (count, chosen) => {
        const values = Array.from({ length: count }, (_, key) => ({ key, value: key + 1 }));
        expect(findLostUpdates({ path: 'a', final: count, values, unknown: 0 })).toEqual([]);
        const at = 1 + (chosen % (count - 1));
        const lost = values.map(({ key, value }) => ({ key, value: key >= at ? value - 1 : value }));
        expect(findLostUpdates({ path: 'a', final: count - 1, values: lost, unknown: 0 })).toEqual([
          {
            says: `#${at - 1} and #${at} both counted a up to ${at}: one update is lost`,
            keys: [at - 1, at],
          },
        ]);
      }),
    );
  });

  test('are found in a file that fell back, and in one with a value that no command can have counted to', () => {
    const values = [{ key: 4, value: 1 }];
    expect(findLostUpdates({ path: 'a', final: 0, values, unknown: 0 })).toMatchObject([{ keys: [4] }]);
    expect(findLostUpdates({ path: 'a', final: 2, values, unknown: 0 })).toMatchObject([{ keys: [] }]);
    expect(findLostUpdates({ path: 'a', final: 2, values, unknown: 1 })).toEqual([]);
  });
});

describe('results', () => {
  const planned =
    (
      plannedOutcome: PlannedCommand['plannedOutcome'] = 'works',
      person: PlannedCommand['person'] = 'nobody',
    ) =>
    () =>
      ({ plannedOutcome, person }) as PlannedCommand;
  const moment = { order: 1, atUs: 1000 };
  const trace = (change: Partial<Trace>): Trace[] => [{ ...emptyTrace(0), submitted: moment, ...change }];
  const answer = (outcome: string) => ({ moment, outcome, commandId: 'cmd_x' });
  const wrong = (
    change: Partial<Trace>,
    {
      plan = planned(),
      mayBeLost = false,
    }: Readonly<{ plan?: () => PlannedCommand; mayBeLost?: boolean }> = {},
  ): string[] => findWrongResults(trace(change), mayBeLost, plan).map(({ says }) => says);

  test('are wrong when one is missing, duplicated, different from the plan, or contradicted by the evidence', () => {
    expect(wrong({})).toEqual(['#0 has 0 results']);
    expect(wrong({ answers: [answer('completed'), answer('failed')] })).toEqual(['#0 has 2 results']);
    expect(wrong({ answers: [answer('failed')] })).toEqual(['#0 ended failed, and was to be completed']);
    expect(wrong({ answers: [answer('completed')] })).toEqual([
      '#0 is said to be completed, and left no evidence of it',
    ]);
    expect(wrong({ answers: [answer('failed')], ended: moment }, { plan: planned('fails') })).toEqual([
      '#0 did its work, and is said to be failed',
    ]);
    expect(
      wrong({ answers: [answer('completed')], ended: moment }, { plan: planned('works', 'refuses') }),
    ).toEqual(['#0 ended completed, and was to be denied']);
  });

  test('may be lost only where processes were killed', () => {
    expect(wrong({ answers: [answer('lost')] })).toHaveLength(1);
    expect(wrong({ answers: [answer('lost')] }, { plan: planned(), mayBeLost: true })).toEqual([]);
  });

  test('reports a second start, a start that the approver denied, and one of an unknown command', () => {
    const starts = (change: Partial<Trace>, plan = planned()): string[] =>
      findDoubleStarts(trace(change), plan).map(({ says }) => says);
    expect(starts({ starts: [moment] })).toEqual([]);
    expect(starts({ starts: [moment, moment] })).toEqual(['#0 started 2 times']);
    expect(starts({ starts: [moment] }, planned('works', 'refuses'))).toEqual([
      '#0 started, and the person said no',
    ]);
    expect(starts({ submitted: null, starts: [moment] })).toEqual(['#0 started, but was never sent']);
  });

  test('reports a wait over the bound, for commands that started and for those that never did', () => {
    const late = { order: 9, atUs: 9_001_000 };
    expect(findLongWaits(trace({ starts: [late] }), 9000)).toEqual([]);
    expect(findLongWaits(trace({ starts: [late] }), 8999)).toHaveLength(1);
    expect(findLongWaits(trace({ answers: [{ ...answer('cancelled'), moment: late }] }), 8999)).toHaveLength(
      1,
    );
  });
});

test('reports commits that are missing, duplicated or without a command', () => {
  expect(findHistoryGaps(['bench 2', 'bench 1', 'start'], new Set([1, 2]))).toEqual([]);
  const found = findHistoryGaps(['bench 2', 'bench 2', 'bench 3', 'bench 4'], new Set([1, 2]), new Set([4]));
  expect(found.map(({ says }) => says)).toEqual([
    '#2 is in the history twice',
    '#3 is in the history, and did not complete',
    '#1 completed, and its commit is not in the history',
  ]);
});

function pairs<Item>(list: readonly Item[]): [Item, Item][] {
  return list.flatMap((a, n) => list.slice(n + 1).map((b): [Item, Item] => [a, b]));
}
