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

/** A sequence of settings: a mode, at a time, for a duration or permanently; null is trouble. */
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
      stack = degradedStack(before, now, { reason: 'no room' });
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
  test('reads back as it was stored, and always ends with a permanent mode', () => {
    fc.assert(
      fc.property(fc.array(deed, { maxLength: 12 }), (deeds) => {
        const { stack } = afterDeeds(deeds);
        expect(readStack(JSON.parse(JSON.stringify(storedStack(stack))))).toEqual(stack);
        expect(stack.at(-1)?.endsAt).toBeUndefined();
        expect(stack.length).toBeLessThanOrEqual(5);
      }),
    );
  });

  test('returns by itself to the permanent mode, however often it is read (D4)', () => {
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

  test('after trouble never loosens below DEGRADED by itself, until a person sets a permanent mode (S000-66)', () => {
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

test('a timed mode is above longer ones, and replaces those that end earlier', () => {
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

test('a sixth timed mode is rejected, naming the modes below it', () => {
  let stack: ModeStack = FOR_GOOD;
  for (const endsAt of [50, 40, 30, 20]) stack = setOn(stack, setting('ALERT', { endsAt }));
  expect(() => setOn(stack, setting('LOCKDOWN', { endsAt: 10 }))).toThrow(
    'too many timed modes end after it',
  );
  expect(setOn(stack, setting('LOCKDOWN'))).toHaveLength(1);
});

test('trouble also affects modes that would come back, and leaves LOCKDOWN as it is', () => {
  const lockdown = setOn(FOR_GOOD, setting('LOCKDOWN', { endsAt: 60 }));
  const after = degradedStack(lockdown, 7, { reason: 'no room' });
  expect(after).toMatchObject([
    { mode: 'LOCKDOWN' },
    { mode: 'DEGRADED', by: 'signalbox', reason: 'no room' },
  ]);
  expect(degradedStack(after, 8, { reason: 'again' })).toBe(after);
  const alert = setOn(FOR_GOOD, setting('ALERT', { endsAt: 60 }));
  expect(degradedStack(alert, 7, { reason: 'no room' })).toMatchObject([{ mode: 'DEGRADED', since: 7 }]);
});

test('damaged data, wrong order of ends and a missing permanent mode are no stack', () => {
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

test('after trouble exactly the previous modes come back', () => {
  fc.assert(
    fc.property(fc.array(deed, { maxLength: 8 }), (deeds) => {
      const { stack, now } = afterDeeds(deeds.filter(({ what }) => what !== null));
      const full = degradedStack(stack, now, { reason: 'no room', trouble: 'disk' });
      const both = degradedStack(full, now + 1, { reason: 'no memory', trouble: 'memory' });
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

test('remaining trouble keeps DEGRADED when other trouble is over', () => {
  const full = degradedStack(FOR_GOOD, 1, { reason: 'no room', trouble: 'disk' });
  const unconfined = degradedStack(full, 2, { reason: 'not confined' });
  expect(stateOf(recoveredStack(unconfined, 'disk', () => true))).toMatchObject({
    mode: 'DEGRADED',
    reason: 'not confined',
  });
});
