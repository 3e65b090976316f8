import { describe, expect, onTestFinished, test } from 'vitest';
import { type Event, EventId, type NewEvent } from '../../event.ts';
import { RunId } from '../../id.ts';
import type { EventLog } from '../../ports/event-log.ts';
import { aCommandId, anOutputEvent } from '../builders.ts';

/** An empty event log. */
export type EventLogHarness = {
  readonly events: EventLog;
  /** Minimum that it keeps: more than 1,000, and few more, to keep the test short. */
  readonly keep: number;
  /** More than `keep` and the events waiting to be trimmed. */
  readonly overfull: number;
  /** Resolves when all subscribers have received all stored events. */
  settle(): Promise<void>;
  close(): Promise<void>;
};

/** The contract of every `EventLog` (R1, R2). */
export function eventLogContract(name: string, start: () => Promise<EventLogHarness>): void {
  async function setUp(): Promise<EventLogHarness> {
    const harness = await start();
    onTestFinished(() => harness.close());
    return harness;
  }

  describe(`${name} keeps the event log's contract:`, () => {
    test('an appended event gets an id and a time, and is read back as delivered', async () => {
      const { events } = await setUp();
      expect(await events.lastId()).toBeNull();
      const [stored] = await events.append([anOutputEvent('hello\n')]);
      expect(stored).toEqual({
        ...anOutputEvent('hello\n'),
        id: expect.stringMatching(/^\d+-\d+$/) as string,
        at: expect.any(Number) as number,
      });
      expect(await events.since(null)).toEqual({ kind: 'events', events: [stored] });
      expect(await events.lastId()).toBe(stored?.id);
    });

    test('ids grow, within one append and from one to the next', async () => {
      const { events } = await setUp();
      const stored: Event[] = [];
      for (let round = 0; round < 5; round++)
        stored.push(...(await events.append([anOutputEvent('a'), anOutputEvent('b'), anOutputEvent('c')])));
      const ids = stored.map(({ id }) => id);
      expect(ids).toEqual(ids.toSorted(byId));
      expect(new Set(ids).size).toBe(15);
    });

    test('since() returns the events after an id, oldest first, up to the limit', async () => {
      const { events } = await setUp();
      const stored = await events.append(['a', 'b', 'c', 'd'].map((text) => anOutputEvent(text)));
      const second = stored[1];
      expect(await events.since(second?.id ?? null)).toEqual({ kind: 'events', events: stored.slice(2) });
      expect(await events.since(second?.id ?? null, 1)).toEqual({
        kind: 'events',
        events: stored.slice(2, 3),
      });
      expect(await events.since(stored.at(-1)?.id ?? null)).toEqual({ kind: 'events', events: [] });
    });

    test('since() returns a thousand by default', async () => {
      const { events } = await setUp();
      await events.append(Array.from({ length: 1001 }, (_, n) => anOutputEvent(`${n}`)));
      expect(eventsOf(await events.since(null))).toHaveLength(1000);
    });

    test('eachOfSessions() takes the events without a command, oldest first, and no others', async () => {
      const { events } = await setUp();
      const [first] = await events.append([aRunEnd()]);
      await events.append(Array.from({ length: 40 }, (_, n) => anOutputEvent(`${n}`)));
      const more = await events.append(Array.from({ length: 1001 }, aRunEnd));
      const taken: Event[] = [];
      await events.eachOfSessions((event) => taken.push(event));
      expect(taken).toEqual([first, ...more]);
    });

    test('an id later than the whole log asks for a new start', async () => {
      const { events } = await setUp();
      await events.append([anOutputEvent()]);
      expect(await events.since(EventId.parse('99999999999999-0'))).toEqual({ kind: 'reset' });
    });

    test('an overfull log drops its oldest events and resets readers that had not reached them', async () => {
      const { events, keep, overfull } = await setUp();
      const stored: Event[] = [];
      for (let n = 0; n < overfull; n++) stored.push(...(await events.append([anOutputEvent(`${n}`)])));
      expect(await events.since(stored[0]?.id ?? null)).toEqual({ kind: 'reset' });
      const kept = eventsOf(await events.since(null, overfull));
      expect(kept.length).toBeGreaterThanOrEqual(keep);
      expect(kept.length).toBeLessThan(overfull);
      expect(kept).toEqual(stored.slice(-kept.length));
      const lastDropped = stored.at(-kept.length - 1);
      expect(await events.since(lastDropped?.id ?? null, overfull)).toEqual({ kind: 'events', events: kept });
    });

    test('a subscriber gets every later event in order and once, until it unsubscribes (S003-44)', async () => {
      const { events, settle } = await setUp();
      await events.append([anOutputEvent('before')]);
      const heard: Event[] = [];
      const stop = events.subscribe((event) => heard.push(event));
      const stored = [
        ...(await events.append([anOutputEvent('a'), anOutputEvent('b')])),
        ...(await events.append([anOutputEvent('c')])),
      ];
      await settle();
      expect(heard).toEqual(stored);
      stop();
      await events.append([anOutputEvent('after')]);
      await settle();
      expect(heard).toEqual(stored);
    });

    test('a subscriber that throws stays subscribed, and so do the others', async () => {
      const { events, settle } = await setUp();
      const heard = { broken: 0, whole: 0 };
      events.subscribe(() => {
        heard.broken += 1;
        throw new Error('broken');
      });
      events.subscribe(() => {
        heard.whole += 1;
      });
      await events.append([anOutputEvent('a'), anOutputEvent('b')]);
      await settle();
      expect(heard).toEqual({ broken: 2, whole: 2 });
    });

    test('an event that a subscriber appends reaches all after the one that it answers', async () => {
      const { events, settle } = await setUp();
      const appended: Promise<unknown>[] = [];
      const heard: string[] = [];
      events.subscribe((event) => {
        if (textOf(event) === 'question') appended.push(events.append([anOutputEvent('answer')]));
      });
      events.subscribe((event) => heard.push(textOf(event)));
      await events.append([anOutputEvent('question')]);
      await settle();
      await Promise.all(appended);
      await settle();
      expect(heard).toEqual(['question', 'answer']);
    });
  });
}

function eventsOf(replay: Awaited<ReturnType<EventLog['since']>>): readonly Event[] {
  return replay.kind === 'events' ? replay.events : [];
}

/** It names a command, but belongs to none. */
function aRunEnd(): NewEvent {
  const until = { line: 'true', passed: true, exitCode: 0, why: [], commandId: aCommandId() };
  return { type: 'run_ended', runId: RunId.parse('run_a00000000000'), until, stoppedBy: null };
}

function textOf(event: Event): string {
  return event.type === 'command_output' ? event.output : event.type;
}

function byId(a: string, b: string): number {
  const [aMs = 0, aN = 0] = a.split('-').map(Number);
  const [bMs = 0, bN = 0] = b.split('-').map(Number);
  return aMs - bMs || aN - bN;
}
