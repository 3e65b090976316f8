import { NO_USAGE } from '@signalbox/core';
import { expect, test } from 'vitest';
import { aStoryCommand, ended } from '../../testing/records.ts';
import { RENDER, screenText } from '../../testing/screen-text.ts';
import { auditReportView } from '../audit-view.ts';
import { doctorView } from '../doctor-view.ts';
import { leftOut, outputHead, outputView } from './output-view.ts';
import { statsView } from '../../commands/see/stats/stats-view.ts';
import { sessionLines } from '../../commands/see/stats/session-stats-view.ts';
import { aProviderId } from '@signalbox/core/testing';

test('an output has a line above it, and one that counts what was left out', () => {
  const record = ended(aStoryCommand('e7pa', 'anthropic', { title: 'run_tests' }), { outcome: 'failed' });
  const text = 'one\ntwo\x1b[2J\nthree\r\nold\rnew\n';
  expect(
    screenText([
      outputHead(record, RENDER),
      ...outputView(text, 3),
      ...leftOut(record, text, { tail: 3, render: RENDER }),
    ]),
  ).toMatchInlineSnapshot(`
    "✗  e7pa anthropic run_tests · failed · 40 ms
    two\\x1b[2J
    three
    new
    … 1 line left out: signalbox output e7pa | less"
  `);
});

test('doctor says what works, what does not and what to do', () => {
  expect(
    screenText(
      doctorView([
        { id: 'isolation bind', ok: true, stops: true, why: 'files, network: enforced, really tried' },
        {
          id: 'memory limit',
          ok: false,
          stops: false,
          why: 'sampled, not enforced',
          fix: 'systemd-run --user --scope …',
        },
      ]),
    ),
  ).toMatchInlineSnapshot(`
    "✓ isolation bind  files, network: enforced, really tried
    ✗ memory limit    sampled, not enforced
        fix  systemd-run --user --scope …
    1 problem, nothing blocking"
  `);
});

test('a changed audit log is reported line by line', () => {
  const report = {
    files: ['audit.jsonl'],
    lines: 3,
    commands: 3,
    torn: [],
    problems: [],
    head: 'f'.repeat(64),
  };
  expect(screenText(auditReportView(report), 200)).toContain('no changed or missing lines found');
  const changed = auditReportView({
    ...report,
    torn: [2],
    problems: [
      { file: 'audit.jsonl', line: 3, kind: 'changed', message: 'line 3 was changed after it was written' },
    ],
  });
  expect(screenText(changed)).toMatchInlineSnapshot(`
    "✗ the audit log was changed: 1 problem · 3 lines, 3 commands · 1 line cut off b…
      line 3 was changed after it was written"
  `);
});

test('totals by provider, and approvals', () => {
  const row = {
    provider: aProviderId('anthropic'),
    commands: 24,
    completed: 23,
    failed: 1,
    denied: 0,
    cancelled: 0,
    meanMs: 400,
    medianMs: 100,
    p95Ms: 1800,
    waitedMs: 6000,
    approvalMs: 0,
    cpuMs: 0,
    peakMemoryBytes: 0,
    suspects: 0,
    utility: { skipped: { calls: 0, tokens: 0 }, inShadow: { calls: 0, tokens: 0 } },
    complexCalls: { withThoughts: { calls: 20, invalid: 1 }, without: { calls: 8, invalid: 2 } },
    reused: 3,
    savedMs: 41_000,
    savedTokens: 6000,
    mostUsed: [{ tool: 'read_file', commands: 11 }],
  };
  const data = {
    providers: [row],
    approvals: { granted: 2, refused: 1, expired: 0, cancelled: 1, medianAnswerMs: 9000 },
    questions: [
      {
        rule: 'warning-asks',
        reason: 'installs or removes packages',
        asked: 4,
        approved: 2,
        denied: 1,
        expired: 0,
        cancelled: 1,
      },
    ],
    busiestFile: { path: 'src/cart.ts', changes: 3 },
    modelRequests: [
      {
        purpose: 'compress' as const,
        asked: aProviderId('ollama'),
        requests: 3,
        failed: 1,
        usage: { ...NO_USAGE, inputTokens: 120_000, outputTokens: 1800 },
        costUsd: null,
      },
    ],
    compressions: { triggered: 1, manual: 0, autonomous: 1, cut: 1, tokensRemoved: 90_000 },
    toolFilter: { turns: 12, tokensSaved: 20_400 },
  };
  expect(screenText(statsView(data, RENDER))).toMatchInlineSnapshot(`
    "PROVIDER   COMMANDS  FAILED  DENIED  MEDIAN    P95  WAITED  MOST USED
    anthropic        24       1       0   0.1 s  1.8 s   6.0 s  read_file 11
    Approvals: 2 approved, 1 denied, 1 cancelled, median answer 9.0 s
    Busiest file src/cart.ts (3 changes)
    Saved: about 116,400 tokens and 3 calls (41 s)
      6,000 by filters, 20,400 by the tool filter, 90,000 by compression
    Tool filter: about 20,400 tokens saved in 12 turns
    Invalid arguments: 1 of 20 calls (5 %) with thoughts first, 2 of 8 calls (25 %)…

    REASON FOR APPROVAL           ASKED  APPROVED  DENIED  EXPIRED  CANCELLED
    installs or removes packages      4         2       1        0          1

    Compressed: 1 by size, 0 by people, 1 by models
      1 without a summary, 90,000 tokens removed
    MODEL REQUEST  ASKED   REQUESTS  FAILED  TOKENS IN    OUT  COST
    compress       ollama         3       1    120,000  1,800     –"
  `);
});

test('stats tell of compressions only if there were some', () => {
  const judged = {
    purpose: 'judge' as const,
    asked: aProviderId('ollama'),
    requests: 1,
    failed: 0,
    usage: NO_USAGE,
    costUsd: null,
  };
  const none = { triggered: 0, manual: 0, autonomous: 0, cut: 0, tokensRemoved: 0 };
  const shown = screenText(sessionLines({ modelRequests: [judged], compressions: none }, RENDER));
  expect(shown).toMatch(/judge +ollama/);
  expect(shown).not.toContain('Compressed');
});
