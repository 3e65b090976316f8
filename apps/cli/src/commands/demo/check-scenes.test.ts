import type { Event, NewEvent } from '@signalbox/core';
import { expect, test } from 'vitest';
import { checkScenes, type Scene } from './check-scenes.ts';
import { summarise } from './summarise.ts';
import { aDemoLog } from './testing/demo-log.ts';

function happened(events: readonly Event[]): readonly Scene['scene'][] {
  return checkScenes(events).flatMap(({ scene, happened: did }) => (did ? [scene] : []));
}

const ALL: readonly Scene['scene'][] = [
  'reads run together',
  'tests run once',
  'a blocked line',
  'one waits for another',
  'stale write',
  'redone',
  'an approval',
  'green',
];

/** The log with each event changed, or removed if the result is null. */
function changed(change: (event: Event) => Event | null): readonly Event[] {
  return aDemoLog().flatMap((event) => change(event) ?? []);
}

/** The same event with other facts. */
function but<Type extends NewEvent['type']>(
  event: Event & { readonly type: Type },
  facts: Partial<Extract<NewEvent, { type: Type }>>,
): Event {
  return { ...event, ...facts };
}

test('a demo that follows the storyboard has every scene', () => {
  expect(happened(aDemoLog())).toEqual(ALL);
});

test('an empty log has no scene', () => {
  expect(happened([])).toEqual([]);
});

test.for<{ missing: readonly Scene['scene'][]; because: string; events: readonly Event[] }>([
  {
    missing: ['reads run together'],
    because: 'a read waited behind the tests',
    events: changed((event) =>
      event.type === 'command_queued' && event.title === 'read_file src/money.ts'
        ? but(event, { blockers: [event.commandId] })
        : event,
    ),
  },
  {
    missing: ['tests run once'],
    because: 'the second provider’s tests ran',
    events: changed((event) =>
      event.type === 'command_failed' ? but(event, { reusedFrom: undefined }) : event,
    ),
  },
  {
    missing: ['a blocked line'],
    because: 'a person was asked about the blocked line',
    events: changed((event) =>
      event.type === 'command_classified' && event.title.includes('curl')
        ? ({ ...approvalOf(event), title: event.title } as Event)
        : event,
    ),
  },
  {
    missing: ['one waits for another'],
    because: 'the tests were over before the first write came',
    events: changed((event) =>
      event.type === 'command_queued' && event.title === 'write_file src/cart.ts'
        ? but(event, { blockers: [] })
        : event,
    ),
  },
  {
    missing: ['stale write', 'redone'],
    because: 'the stale write was let through',
    events: changed((event) =>
      event.type === 'command_failed' && event.outcome === 'conflict'
        ? { ...event, type: 'command_completed', exitCode: null }
        : event,
    ),
  },
  {
    missing: ['redone'],
    because: 'openai wrote again without reading',
    events: changed((event) =>
      event.type === 'command_completed' &&
      event.provider === 'openai' &&
      event.tool === 'read_file' &&
      event.at > 9000
        ? { ...event, type: 'command_cancelled', reason: 'x' }
        : event,
    ),
  },
  {
    missing: ['an approval'],
    because: 'a rule and no person said yes',
    events: changed((event) =>
      event.type === 'command_approved' && event.by !== 'auto' ? but(event, { by: 'auto' }) : event,
    ),
  },
  {
    missing: ['green'],
    because: 'the last test run had seven of nine',
    events: changed((event) =>
      event.type === 'command_output' && event.output.includes('pass 9')
        ? but(event, { output: 'ℹ pass 7\nℹ fail 2\n' })
        : event,
    ),
  },
])('$missing did not happen when $because', ({ missing, events }) => {
  expect(happened(events)).toEqual(ALL.filter((scene) => !missing.includes(scene)));
});

test('an approval that a person denied is a scene too, if the line then did not run', () => {
  const asked = aDemoLog().find(({ type }) => type === 'approval_requested');
  const events = changed((event) => {
    if (!('commandId' in event) || asked === undefined || !('commandId' in asked)) return event;
    if (event.commandId !== asked.commandId) return event;
    if (event.type === 'command_approved' || event.type === 'command_started') return null;
    return event.type === 'command_completed'
      ? { ...event, type: 'command_denied', outcome: 'denied', rule: 'asked', reason: 'no' }
      : event;
  });
  expect(happened(events)).toEqual(ALL);
  expect(summarise(events)).toMatchObject({ granted: 0, refused: 1 });
});

test('the last lines count the events of the log', () => {
  expect(summarise(aDemoLog())).toEqual({
    commands: 18,
    providers: 3,
    passed: 9,
    failed: 0,
    tookMs: 20_100,
    reads: 7,
    waits: 2,
    waitedMs: 2800,
    staleWrites: 1,
    blocked: 1,
    granted: 1,
    refused: 0,
    saved: { tokens: { filters: 310, offers: 0, compressions: 0 }, calls: 1, ms: 2000 },
  });
});

function approvalOf(event: Event): object {
  return {
    ...event,
    type: 'approval_requested',
    level: 'dangerous',
    reason: 'x',
    callHash: 'f'.repeat(64),
    expiresAt: 0,
  };
}
