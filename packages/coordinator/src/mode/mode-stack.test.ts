import { ALL_MODES, type Mode } from '@signalbox/core';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  degradedStack,
  type ModeSetting,
  type ModeStack,
  readStack,
  recoveredStack,
  setOn,
  stackAt,
  stateOf,
  storedStack,
} from './mode-stack.ts';

/** From the loosest to the strictest. */
const STRICTNESS: readonly Mode[] = ['NORMAL', 'ALERT', 'RECOVERY', 'DEGRADED', 'LOCKDOWN'];

const setting = (mode: Mode, more: Partial<ModeSetting> = {}): ModeSetting => ({
  mode,
  since: 0,
  by: 'ana',
  reason: 'r',
  ...more,
});
const FOR_GOOD: ModeStack = [setting('NORMAL')];

/** What people set, one after the other: a mode, at a time, for some time or for good; null is trouble. */
const deed = fc.record({
  afterMs: fc.nat(50),
  what: fc.option(
    fc.record({ mode: fc.constantFrom(...ALL_MODES), forMs: fc.option(fc.integer({ min: 1, max: 100 })) }),
  ),
});

type Deed = typeof deed extends fc.Arbitrary<infer Value> ? Value : never;

function afterDeeds(deeds: readonly Deed[]) {
  let now = 0;
  let stack = FOR_GOOD;
  let trouble = false;
  for (const { afterMs, what } of deeds) {
    now += afterMs;
    const before = stackAt(stack, now);
    if (what === null) {
      stack = degradedStack(before, { reason: 'no room' }, now);
      trouble = true;
      continue;
    }
    const end = what.forMs === null ? {} : { endsAt: now + what.forMs };
    try {
      stack = setOn(before, setting(what.mode, { since: now, ...end }));
      if (what.forMs === null) trouble = false;
    } catch {
      stack = before;
    }
  }
  return { stack, now, trouble };
}

describe('a stack of modes', () => {
  test('reads back as it was stored, and always ends with one that stays', () => {
    fc.assert(
      fc.property(fc.array(deed, { maxLength: 12 }), (deeds) => {
        const { stack } = afterDeeds(deeds);
        expect(readStack(JSON.parse(JSON.stringify(storedStack(stack))))).toEqual(stack);
        expect(stack.at(-1)?.endsAt).toBeUndefined();
        expect(stack.length).toBeLessThanOrEqual(5);
      }),
    );
  });

  test('comes by itself to what was set for good, whoever looks how often (D4)', () => {
    fc.assert(
      fc.property(fc.array(deed, { maxLength: 12 }), fc.array(fc.nat(40)), (deeds, looks) => {
        const { stack, now } = afterDeeds(deeds);
        let later = now;
        let seen = stack;
        for (const ms of looks) {
          later += ms;
          seen = stackAt(seen, later);
          expect(seen[0].mode).toBe(stackAt(stack, later)[0].mode);
        }
        expect(stackAt(stack, Infinity).map(({ mode }) => mode)).toEqual([stack.at(-1)?.mode]);
      }),
    );
  });

  test('never loosens below DEGRADED by itself once there was trouble, until a person sets a mode for good (S000-66)', () => {
    fc.assert(
      fc.property(fc.array(deed, { maxLength: 12 }), (deeds) => {
        const { stack, trouble } = afterDeeds(deeds);
        const [last] = stackAt(stack, Infinity);
        const loosest = trouble ? 'DEGRADED' : 'NORMAL';
        expect(STRICTNESS.indexOf(last.mode)).toBeGreaterThanOrEqual(STRICTNESS.indexOf(loosest));
      }),
    );
  });
});

test('what is set for a time lies above what lasts longer, and what ends earlier is gone', () => {
  const hour = setOn(FOR_GOOD, setting('LOCKDOWN', { endsAt: 60 }));
  const within = setOn(hour, setting('NORMAL', { endsAt: 5 }));
  expect(within.map(({ mode }) => mode)).toEqual(['NORMAL', 'LOCKDOWN', 'NORMAL']);
  expect(stackAt(within, 5)[0]).toMatchObject({ mode: 'LOCKDOWN', since: 5, endsAt: 60 });
  expect(setOn(within, setting('ALERT', { endsAt: 60 })).map(({ mode }) => mode)).toEqual([
    'ALERT',
    'NORMAL',
  ]);
  expect(setOn(within, setting('ALERT'))).toEqual([setting('ALERT')]);
});

test('a sixth mode for a time is refused, with what it would lie above', () => {
  let stack: ModeStack = FOR_GOOD;
  for (const endsAt of [50, 40, 30, 20]) stack = setOn(stack, setting('ALERT', { endsAt }));
  expect(() => setOn(stack, setting('LOCKDOWN', { endsAt: 10 }))).toThrow('too many end after it');
  expect(setOn(stack, setting('LOCKDOWN'))).toHaveLength(1);
});

test('trouble reaches what would come back, and leaves LOCKDOWN as it is', () => {
  const lockdown = setOn(FOR_GOOD, setting('LOCKDOWN', { endsAt: 60 }));
  const after = degradedStack(lockdown, { reason: 'no room' }, 7);
  expect(after).toMatchObject([
    { mode: 'LOCKDOWN' },
    { mode: 'DEGRADED', by: 'signalbox', reason: 'no room' },
  ]);
  expect(degradedStack(after, { reason: 'again' }, 8)).toBe(after);
  const alert = setOn(FOR_GOOD, setting('ALERT', { endsAt: 60 }));
  expect(degradedStack(alert, { reason: 'no room' }, 7)).toMatchObject([{ mode: 'DEGRADED', since: 7 }]);
});

test('what is damaged, ends in the wrong order or never stays is no stack', () => {
  const damaged = [
    null,
    'NORMAL',
    { mode: 'NORMAL' },
    setting('NORMAL', { endsAt: 5 }),
    { ...setting('LOCKDOWN'), before: [setting('NORMAL')] },
    { ...setting('LOCKDOWN', { endsAt: 9 }), before: [setting('NORMAL', { endsAt: 5 }), setting('NORMAL')] },
  ];
  expect(damaged.map(readStack)).toEqual(damaged.map(() => undefined));
});

test('what comes back when trouble is over is exactly what stood there before', () => {
  fc.assert(
    fc.property(fc.array(deed, { maxLength: 8 }), (deeds) => {
      const { stack, now } = afterDeeds(deeds.filter(({ what }) => what !== null));
      const full = degradedStack(stack, { reason: 'no room', trouble: 'disk' }, now);
      const both = degradedStack(full, { reason: 'no memory', trouble: 'memory' }, now + 1);
      expect(
        recoveredStack(
          recoveredStack(both, 'disk', () => true),
          'memory',
          () => true,
        ),
      ).toEqual(stack);
      expect(readStack(storedStack(both))).toEqual(both);
      expect(recoveredStack(both, 'audit', () => true)).toBe(both);
      expect(recoveredStack(both, 'disk', () => false)).toBe(both);
    }),
  );
});

test('trouble that stays keeps DEGRADED when other trouble is over', () => {
  const full = degradedStack(FOR_GOOD, { reason: 'no room', trouble: 'disk' }, 1);
  const unconfined = degradedStack(full, { reason: 'not confined' }, 2);
  expect(stateOf(recoveredStack(unconfined, 'disk', () => true))).toMatchObject({
    mode: 'DEGRADED',
    reason: 'not confined',
  });
});
