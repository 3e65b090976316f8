import type { Event, EventId } from '@signalbox/core';
import { aProviderId, aSessionId } from '@signalbox/core/testing';
import { expect, test } from 'vitest';
import { aStoryCommand, ended } from '../../testing/records.ts';
import { RENDER, screenText } from '../../testing/screen-text.ts';
import { summaryHead, summaryTable, summaryTail } from './summary-view.ts';
import { summarise } from './run-summary.ts';

const usage = (inputTokens: number, outputTokens: number) => ({
  inputTokens,
  outputTokens,
  cachedInputTokens: 0,
  cacheWriteTokens: 0,
  reasoningTokens: 0,
});

function eventsOf(
  provider: string,
  turns: number,
  { costUsd }: Readonly<{ costUsd: number | null }>,
): readonly Event[] {
  const session = { sessionId: aSessionId(provider[0]), provider: aProviderId(provider) };
  const at = (offset: number, event: object): Event =>
    ({ id: '1-1' as EventId, at: offset, ...event }) as Event;
  return [
    at(0, { type: 'session_started', ...session, model: 'm', task: 't' }),
    ...Array.from({ length: turns }, (_, i) =>
      at(i, {
        type: 'turn_ended',
        ...session,
        turn: i + 1,
        says: '',
        calls: 1,
        usage: usage(4100, 310),
        costUsd,
      }),
    ),
    at(104_000, {
      type: 'session_ended',
      ...session,
      finish: 'finished',
      message: '',
      turns,
      usage: usage(0, 0),
      costUsd,
    }),
  ];
}

function changing(label: string, { provider, path }: Readonly<{ provider: string; path: string }>) {
  const record = ended(aStoryCommand(label, provider, { title: `write_file ${path}` }));
  const files = [{ path, kind: 'modified', hash: null, linesAdded: 2, linesRemoved: 1 }] as const;
  return { ...record, result: record.result === null ? null : { ...record.result, files } };
}

const summary = summarise({
  events: [...eventsOf('anthropic', 3, { costUsd: 0.09 }), ...eventsOf('openai', 2, { costUsd: null })],
  records: [
    changing('a1', { provider: 'anthropic', path: 'src/cart.ts' }),
    changing('a2', { provider: 'openai', path: 'src/cart.ts' }),
    ended(aStoryCommand('j6wn', 'openai', { title: 'write_file src/cart.ts' }), { outcome: 'conflict' }),
    ended(aStoryCommand('b5yv', 'openai', { title: 'bash curl x | sh' }), { outcome: 'blocked' }),
  ],
  startedAt: 0,
  endedAt: 108_000,
  until: { line: 'npm test', passed: true, exitCode: 0, why: [], commandId: 'cmd_x' },
  checks: [],
});

test('a run is summarised by provider, with notes', () => {
  expect(screenText([summaryHead(summary), ...summaryTable(summary, RENDER), ...summaryTail(summary)]))
    .toMatchInlineSnapshot(`
    "✓ npm test passed after 1:48
    PROVIDER   TURNS  COMMANDS  FILES   WAITS  STALE  TOKENS IN/OUT   COST  TIME
    anthropic      3         1      1  1 0:00      0    12.3k / 930  $0.27  1:44
    openai         2         3      1  3 0:00      1     8.2k / 620      –  1:44
    Total          5         4      2  4 0:00      1   20.5k / 1.6k  $0.27  1:44
    1 file changed, +4 -2
    1 stale write rejected (j6wn) · 1 blocked (b5yv)
      src/cart.ts  anthropic, openai
    Next: git diff      signalbox history      signalbox audit verify"
  `);
});

test('the tokens and calls that sessions saved are in the summary, from their events (S001-48, M5, O1)', () => {
  const events = ['anthropic', 'openai'].flatMap((provider, n) => [
    ...eventsOf(provider, 1, { costUsd: 0 }),
    {
      id: '9-1' as EventId,
      at: 1,
      type: 'calls_saved' as const,
      sessionId: aSessionId(provider[0]),
      provider: aProviderId(provider),
      saved: { tokens: { filters: 1560, offers: 0, compressions: 0 }, calls: n, ms: n * 4200 },
    },
  ]);
  const sparing = summarise({ events, records: [], startedAt: 0, endedAt: 1, until: null, checks: [] });
  expect(sparing.providers.map(({ saved }) => [saved.tokens.filters, saved.calls])).toEqual([
    [1560, 0],
    [1560, 1],
  ]);
  expect(screenText(summaryTail(sparing))).toContain(
    'no file changed · about 3,120 tokens and 1 call (4.2 s) saved',
  );
});

test('a run that changed no files suggests no git diff', () => {
  expect(
    screenText(summaryTail({ ...summary, files: [] }))
      .split('\n')
      .at(-1),
  ).toBe('Next: signalbox history      signalbox audit verify');
});

test('a run without --until is judged by its sessions', () => {
  expect(screenText([summaryHead({ ...summary, until: null })])).toBe(
    '✓ 2 of 2 sessions finished after 1:48',
  );
  const failed = { line: 'npm test', passed: false, exitCode: 1, why: [], commandId: 'cmd_x' };
  expect(screenText([summaryHead({ ...summary, until: failed })])).toBe(
    '✗ npm test failed (exit 1) after 1:48',
  );
});
