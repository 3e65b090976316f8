import { type Event, EventId } from '@signalbox/core';
import { aCommandId, anOutputEvent } from '@signalbox/core/testing';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createKnownEvents } from './known-events.ts';

const idOf = (n: number): EventId => EventId.parse(`7-${n}`);

function eventOf(n: number, output = 'x'): Event {
  return { ...anOutputEvent(output, aCommandId()), id: idOf(n), at: 7 };
}

test('since() returns exactly the events after a known id, and reset for any other id', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 20 }),
      fc.integer({ min: 0, max: 20 }),
      fc.integer({ min: 0, max: 60 }),
      fc.integer({ min: 1, max: 50 }),
      (before, added, asked, limit) => {
        // The log holds event 10 and later; earlier events were dropped.
        const known = createKnownEvents({
          events: Array.from({ length: before }, (_, n) => eventOf(11 + n)),
          after: idOf(10),
        });
        const last = 10 + before + added;
        // Adds some events twice.
        for (let n = 11; n <= last; n++) known.add(eventOf(n));
        const page = known.since(idOf(asked), limit);
        const isKnown = asked >= 10 && asked <= last;
        const rest = Array.from({ length: Math.max(0, last - asked) }, (_, n) => idOf(asked + 1 + n)).slice(
          0,
          limit,
        );
        expect(page.kind === 'events' ? page.events.map(({ id }) => id) : page.kind).toEqual(
          isKnown ? rest : 'reset',
        );
        expect(known.lastId()).toBe(idOf(last));
      },
    ),
  );
});

test('a log that never had an event returns none and has no last id', () => {
  const known = createKnownEvents({ events: [], after: null });
  expect([known.since(null, 10), known.lastId()]).toEqual([{ kind: 'events', events: [] }, null]);
});

test('the oldest events are dropped by number and by length, and a reader behind them gets reset', () => {
  const known = createKnownEvents({ events: [], after: null });
  for (let n = 1; n <= 5010; n++) known.add(eventOf(n));
  expect(known.since(idOf(9), 10).kind).toBe('reset');
  expect(known.since(idOf(10), 1)).toEqual({ kind: 'events', events: [eventOf(11)] });
  const page = known.since(null, 9000);
  expect(page.kind === 'events' && page.events.length).toBe(5000);

  const long = 'x'.repeat(1024 * 1024);
  for (let n = 6001; n <= 6020; n++) known.add(eventOf(n, long));
  const kept = known.since(null, 9000);
  expect(kept.kind === 'events' && kept.events.map(({ id }) => id)).toEqual(
    [14, 15, 16, 17, 18, 19, 20].map((n) => idOf(6000 + n)),
  );
});
