import type { CommandRecord, OutcomeKind } from '@signalbox/core';
import { aCall, aCallContext, aCommandId, aCommandRecord, aProviderId, ended } from '@signalbox/core/testing';
import { expect, test } from 'vitest';
import { RENDER, screenText } from '../../../testing/screen-text.ts';
import { fileStatsView, filterStatsView, slowestView, toolStatsView } from './stats-view.ts';
import { fileStatsOf, filterStatsOf, slowestOf, toolStatsOf } from './kinds-of-stats.ts';

type Reported = Readonly<{
  provider: string;
  tool: string;
  kind?: OutcomeKind;
  path?: string;
  files?: NonNullable<CommandRecord['result']>['files'];
  durationMs?: number;
  ran?: boolean;
}>;

/** `label` is also the order: `a` ended first. */
function done(label: string, reported: Reported): CommandRecord {
  const { provider, tool, kind = 'completed', path, files = [], durationMs = 10, ran = true } = reported;
  const at = RENDER.now + label.charCodeAt(0) * 1000;
  const record = ended(
    aCommandRecord({
      id: aCommandId(label),
      title: tool,
      call: aCall({ tool, args: path === undefined ? {} : { path } }),
      context: aCallContext({ provider: aProviderId(provider) }),
      startedAt: ran ? at : null,
    }),
    { outcome: kind },
  );
  if (record.result === null) throw new Error('no result');
  return { ...record, endedAt: at, result: { ...record.result, files, durationMs, waitedMs: 5 } };
}

const RECORDS = [
  done('a', {
    provider: 'openai',
    tool: 'read_file',
    files: [{ path: 'src/a.ts', kind: 'read', hash: null }],
  }),
  done('b', {
    provider: 'anthropic',
    tool: 'write_file',
    path: 'src/a.ts',
    files: [
      { path: 'src/a.ts', kind: 'read', hash: null },
      { path: 'src/a.ts', kind: 'modified', hash: null },
    ],
    durationMs: 30,
  }),
  done('c', { provider: 'openai', tool: 'write_file', path: 'src/a.ts', kind: 'conflict', ran: false }),
  done('d', {
    provider: 'openai',
    tool: 'read_file',
    files: [{ path: 'b', kind: 'read', hash: null }],
    durationMs: 20,
  }),
];

test('totals by tool show who used it, totals by file who read, changed and conflicted', () => {
  expect(toolStatsOf(RECORDS)).toMatchObject([
    {
      tool: 'read_file',
      commands: 2,
      completed: 2,
      medianMs: 10,
      usedBy: [{ provider: 'openai', commands: 2 }],
    },
    {
      tool: 'write_file',
      commands: 2,
      failed: 1,
      medianMs: 30,
      usedBy: [
        { provider: 'anthropic', commands: 1 },
        { provider: 'openai', commands: 1 },
      ],
    },
  ]);
  expect(fileStatsOf(RECORDS)).toEqual([
    {
      path: 'src/a.ts',
      changes: 1,
      reads: 2,
      conflicts: 1,
      lastChangedAt: RENDER.now + 98_000,
      touchedBy: [
        { provider: 'openai', commands: 2 },
        { provider: 'anthropic', commands: 1 },
      ],
    },
    {
      path: 'b',
      changes: 0,
      reads: 1,
      conflicts: 0,
      lastChangedAt: null,
      touchedBy: [{ provider: 'openai', commands: 1 }],
    },
  ]);
});

test('the slowest are those that ran longest; a command that never ran is not slow', () => {
  expect(slowestOf(RECORDS, 2).map(({ command, durationMs }) => [command, durationMs])).toEqual([
    [aCommandId('b'), 30],
    [aCommandId('d'), 20],
  ]);
  expect(slowestOf(RECORDS, 10)).toHaveLength(3);
});

test('each table fits into 80 cells, and says when it is empty', () => {
  const long = [
    ...RECORDS,
    done('e', {
      provider: 'claude-code',
      tool: 'run_tests',
      files: [{ path: `src/${'deep/'.repeat(20)}file.ts`, kind: 'created', hash: null }],
    }),
  ];
  const screen = [
    ...toolStatsView(toolStatsOf(long), RENDER),
    ...fileStatsView(fileStatsOf(long), RENDER),
    ...slowestView(slowestOf(long, 5), RENDER),
  ];
  const whole = screenText(screen, Infinity).split('\n');
  expect(whole.filter((row) => row.length > 80)).toEqual([]);
  expect(whole.join('\n')).toMatch(/src\/a\.ts .* 1 +2 +1 {2}openai 2, /);
  for (const [view, none] of [
    [toolStatsView, 'No commands finished in this period.'],
    [fileStatsView, 'No commands touched files in this period.'],
    [slowestView, 'No commands ran in this period.'],
  ] as const) {
    expect(screenText(view([], RENDER))).toBe(none);
  }
});

test('filters are listed by the tokens that they saved (S001-48, M5)', () => {
  const use = {
    filter: 'go',
    confidence: 'full',
    keptLines: 1,
    lines: 9,
    keptTokens: 10,
    savedTokens: 90,
  } as const;
  const uses = [
    use,
    { ...use, filter: 'plain', savedTokens: 1000 },
    { ...use, confidence: 'fallback', savedTokens: 0 },
  ] as const;
  const records = uses.map((filtered, at) => {
    const record = done(String.fromCodePoint(97 + at), { provider: 'openai', tool: 'bash' });
    return { ...record, result: record.result === null ? null : { ...record.result, filtered } };
  });
  const filters = filterStatsOf([...records, ...RECORDS]);
  expect(filters).toEqual([
    { filter: 'plain', outputs: 1, fallbacks: 0, keptTokens: 10, savedTokens: 1000 },
    { filter: 'go', outputs: 2, fallbacks: 1, keptTokens: 20, savedTokens: 90 },
  ]);
  expect(
    screenText(filterStatsView(filters, RENDER))
      .split('\n')
      .map((row) => row.trimEnd().split(/ {2,}/)),
  ).toEqual([
    ['FILTER', 'OUTPUTS', 'FAILED', 'TOKENS READ', 'TOKENS SAVED', 'SAVED'],
    ['plain', '1', '0', '10', '1.0k', '99 %'],
    ['go', '2', '1', '20', '90', '82 %'],
  ]);
  expect(screenText(filterStatsView([], RENDER))).toContain('No output was filtered in this period.');
});
