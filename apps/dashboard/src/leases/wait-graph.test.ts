import { expect, test } from 'vitest';
import { aSummary } from '../workspace/testing/a-summary.ts';
import { waitGraphOf } from './wait-graph.ts';

const claims = [{ resource: 'path:a.ts', access: 'write' }] as const;

test('a chain of waits and an approval point from the waiter to its blocker', () => {
  const summaries = [
    aSummary({ id: 'holder', provider: 'anthropic', state: 'running', claims }),
    aSummary({ id: 'first', provider: 'openai', state: 'queued', blockers: ['holder'], claims }),
    aSummary({ id: 'second', provider: 'deepseek', state: 'queued', blockers: ['holder', 'first'], claims }),
    aSummary({ id: 'asks', provider: 'claude-code', state: 'awaiting_approval' }),
    aSummary({ id: 'idle', provider: 'gemini', state: 'done' }),
  ];
  const { nodes, edges, columns } = waitGraphOf(new Map(summaries.map((summary) => [summary.id, summary])));
  expect(edges).toEqual([
    { from: 'first', to: 'holder', text: 'a.ts', kind: 'lease' },
    { from: 'second', to: 'first', text: 'a.ts', kind: 'lease' },
    { from: 'asks', to: 'you', text: 'approval', kind: 'approval' },
  ]);
  expect(nodes.map(({ id, depth }) => [id, depth])).toEqual([
    ['holder', 0],
    ['you', 0],
    ['first', 1],
    ['asks', 1],
    ['second', 2],
  ]);
  expect(columns).toBe(3);
});

test('records that wait for each other, an impossible case, are still drawn', () => {
  const a = aSummary({ id: 'a', state: 'queued', blockers: ['b'], claims });
  const b = aSummary({ id: 'b', state: 'queued', blockers: ['a'], claims });
  expect(
    waitGraphOf(
      new Map([
        ['a', a],
        ['b', b],
      ]),
    ).nodes,
  ).toHaveLength(2);
});

test('many approvals of one provider are one node, as old as the oldest', () => {
  const asks = [30, 10, 20].map((askedAt) =>
    aSummary({ id: `q${askedAt}`, provider: 'gemini', state: 'awaiting_approval', askedAt }),
  );
  const { nodes, edges } = waitGraphOf(new Map(asks.map((summary) => [summary.id, summary])));
  expect(edges).toHaveLength(1);
  expect(nodes.find(({ kind, id }) => kind === 'person' && id !== 'you')).toMatchObject({
    name: 'gemini',
    line: '3 calls',
    since: 10,
  });
});
