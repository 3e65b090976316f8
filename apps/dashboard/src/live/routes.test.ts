import { expect, test } from 'vitest';
import { aSummary } from '../workspace/testing/a-summary.ts';
import { layLane } from './lane-items.ts';
import { branchPath, layHolds, MAX_VERTICALS, routePath } from './routes.ts';

const axis = { now: 120_000, windowMs: 120_000, width: 500 };

function lanes(summaries: readonly ReturnType<typeof aSummary>[]) {
  return summaries.map((summary, at) => ({
    provider: summary.provider,
    top: at * 92,
    height: 92,
    layout: layLane([summary], axis),
  }));
}

function holdsOf(summaries: readonly ReturnType<typeof aSummary>[]) {
  return layHolds(lanes(summaries), new Map(summaries.map((summary) => [summary.id, summary])));
}

const claims = [{ resource: 'path:a.ts', access: 'write' }] as const;
const holder = aSummary({ id: 'holder', state: 'running', startedAt: 60_000, claims });
const waiter = aSummary({ id: 'waiter', state: 'queued', queuedAt: 90_000, blockers: ['holder'], claims });

test('a route leads from the waiter’s chip to the holder’s, and its vertical is right of both', () => {
  const { chips, routes, width } = holdsOf([holder, waiter]);
  expect(chips.map(({ commandId, kind, text, y }) => [commandId, kind, text, y])).toEqual([
    ['holder', 'held', 'a.ts', 46],
    ['waiter', 'awaited', 'a.ts', 138],
  ]);
  const [route] = routes;
  expect(route).toMatchObject({ waiter: 'waiter', holder: 'holder', from: chips[1], to: chips[0] });
  expect(route?.vertical).toBeGreaterThan(Math.max(...chips.map((chip) => chip.left + chip.width)));
  expect(width).toBeGreaterThan(route?.vertical ?? 0);
  expect(route === undefined ? '' : routePath(route)).toMatch(/^M\d+ 46H\d+l10 10V128l-10 10H\d+$/);
});

test('each contested resource has its own vertical, and those beyond the sixth are counted', () => {
  const pairs = Array.from({ length: 8 }, (_, at) => {
    const own = [{ resource: `path:f${at}.ts`, access: 'write' }] as const;
    return [
      aSummary({ id: `h${at}`, provider: `h${at}`, state: 'running', startedAt: 1, claims: own }),
      aSummary({
        id: `w${at}`,
        provider: `w${at}`,
        state: 'queued',
        queuedAt: 2,
        blockers: [`h${at}`],
        claims: own,
      }),
    ];
  }).flat();
  const { routes, hidden } = holdsOf(pairs);
  expect(new Set(routes.map(({ vertical }) => vertical)).size).toBe(MAX_VERTICALS);
  expect([routes.length, hidden]).toEqual([MAX_VERTICALS, 2]);
});

test('a route to a holder outside the view ends at the edge', () => {
  const summaries = [holder, waiter];
  const { routes } = layHolds(lanes([waiter]), new Map(summaries.map((summary) => [summary.id, summary])));
  expect(routes[0]?.to).toBeNull();
  expect(routes[0] === undefined ? '' : routePath(routes[0])).toMatch(/^M\d+ 0V/);
});

test('two claims branch up and down from their block, further ones are counted', () => {
  const many = aSummary({
    id: 'many',
    state: 'running',
    startedAt: 1,
    claims: [
      { resource: 'path:r.ts', access: 'read' },
      { resource: 'path:a.ts', access: 'write' },
      { resource: 'path:b.ts', access: 'write' },
    ],
  });
  const { chips } = holdsOf([many]);
  expect(chips.map(({ text }) => text)).toEqual(['a.ts', '2 more claims']);
  expect(chips.map(branchPath)).toEqual(['M2 46h6l15 -15H26', 'M2 46h6l15 15H26']);
});
