import { NodeId } from '@signalbox/core';
import { expect, test } from 'vitest';
import { anAskedCommand, aStoryCommand, ended } from '../testing/records.ts';
import { RENDER, screenText } from '../testing/screen-text.ts';
import { commandView } from './command/command-view.ts';
import { statusView } from './status-view.ts';

const NORMAL = { mode: 'NORMAL', since: 0, by: 'configuration', reason: 'initial mode' } as const;

test('the status names pending approvals, how to answer, the tool filter and the judge (S001-79, S001-119)', () => {
  const lines = statusView(
    {
      workspace: 'shop',
      server: null,
      mode: NORMAL,
      runningSince: RENDER.now - 724_000,
      counts: { running: 2, waiting: 2, done: 61, failed: 3, lost: 1, denied: 2, stale: 84 },
      maxConcurrent: 3,
      approvals: [anAskedCommand('npm install zod@4', 'warning', { reasons: [] })],
      budget: 2,
      toolFilter: { topK: 10, alwaysOn: 4, embeddings: 37 },
      judge: { provider: 'small', policies: 2, failOpen: false, shadow: false },
      members: null,
      isAway: false,
    },
    RENDER,
  );
  expect(screenText(lines)).toMatchInlineSnapshot(`
    "shop · NORMAL · embedded · up 12:04
    2 of 3 running   2 waiting   1 approval   61 done   3 failed   1 lost   2 denied
    84 stale   budget $2.00
    Filter: top_k=10, always_on=4, embeddings=37
    Adversarial policy: provider=small, policies=2, fail_open=false
    ! p9ze deepseek  bash npm install zod@4                                4:19 left
      signalbox approve p9ze      signalbox deny p9ze -m "…""
  `);
});

const IDLE = {
  workspace: 'shop',
  server: null,
  mode: NORMAL,
  runningSince: null,
  counts: { running: 0, waiting: 0, done: 0, failed: 0, lost: 0, denied: 0, stale: 0 },
  maxConcurrent: 3,
  approvals: [],
  budget: null,
  toolFilter: null,
  judge: null,
  members: null,
  isAway: false,
} as const;

test('the status says until when a mode is set, and which mode follows', () => {
  const statusOf = (forMs: number): string => {
    const back = { at: RENDER.now + forMs, to: 'NORMAL' } as const;
    const lines = statusView({ ...IDLE, mode: { ...NORMAL, mode: 'LOCKDOWN', back } }, RENDER);
    return screenText(lines).split(' · ')[1] ?? '';
  };
  expect(statusOf(1_800_000)).toMatch(/^LOCKDOWN until \d\d:\d\d:\d\d, then NORMAL$/);
  expect(statusOf(90_000_000)).toMatch(/^LOCKDOWN until \d{4}-\d\d-\d\d \d\d:\d\d:\d\d, then NORMAL$/);
});

test('the status names every node of a workspace on Redis', () => {
  const common = { host: 'ada', identity: {}, version: '0', startedAt: RENDER.now - 61_000 };
  const lines = statusView(
    {
      workspace: 'shop',
      server: null,
      mode: NORMAL,
      runningSince: RENDER.now - 61_000,
      counts: { running: 0, waiting: 0, done: 0, failed: 0, lost: 0, denied: 0, stale: 0 },
      maxConcurrent: 3,
      approvals: [],
      budget: null,
      toolFilter: null,
      judge: null,
      isAway: false,
      members: [
        {
          ...common,
          id: NodeId.parse('cor_aaaaaaaaaaaa'),
          kind: 'coordinator',
          pid: 7,
          labels: [],
          concurrency: 0,
        },
        {
          ...common,
          id: NodeId.parse('wrk_bbbbbbbbbbbb'),
          kind: 'worker',
          pid: 8,
          labels: ['gpu'],
          concurrency: 2,
        },
      ],
    },
    RENDER,
  );
  expect(screenText(lines)).toMatchInlineSnapshot(`
    "shop · NORMAL · on Redis · up 1:01
    0 of 3 running   0 waiting   0 approvals   0 done   0 failed
      coordinator cor_aaaaaaaaaaaa on ada, process 7, up 1:01
      worker wrk_bbbbbbbbbbbb on ada, process 8, up 1:01, 2 at once, gpu"
  `);
});

test('everything about a command is labelled within 80 cells, with the next step', () => {
  const asks = anAskedCommand(`touch ${'some-file '.repeat(30)}`, 'warning', { reasons: [] });
  const screen = screenText(commandView(asks, RENDER), Infinity).split('\n');
  expect(screen.slice(1).filter((row) => row.length > 80)).toEqual([]);
  expect(screen[2]).toMatch(/^ {11}some-file /);
  expect(screen.at(-1)).toBe('  Next     signalbox approve p9ze, or signalbox deny p9ze -m "…"');
  const lost = ended(
    aStoryCommand('r3bt', 'openai', { title: 'bash npm run migrate', overrides: { state: 'running' } }),
    { outcome: 'lost' },
  );
  expect(screenText(commandView(lost, RENDER))).toMatch(
    /Next +check what it did first: signalbox diff r3bt,/,
  );
  expect(screenText(commandView(ended(lost, { outcome: 'completed' }), RENDER))).not.toContain('Next');
  const failed = {
    ...ended(aStoryCommand('e7pa', 'openai', { title: 'bash npm run build' }), { outcome: 'completed' }),
  };
  if (failed.result === null) throw new Error('not ended');
  const answered = { ...failed, result: { ...failed.result, exitCode: 2 } };
  expect(screenText(commandView(answered, RENDER))).toMatch(/ {2}Ended {4}exit 2 after 40 ms\n/);
  const huge = aStoryCommand('h0ge', 'openai', { title: `bash ${'x '.repeat(100_000)}` });
  expect(commandView(huge, RENDER).length).toBeLessThan(12);
});

test('for a command that changed many files the first are named, one per row, and the rest is counted', () => {
  const installed = ended(aStoryCommand('n5cg', 'openai', { title: 'bash npm install lodash' }), {
    outcome: 'completed',
  });
  if (installed.result === null) throw new Error('not ended');
  const { result } = installed;
  const having = (count: number): readonly string[] => {
    const files = Array.from({ length: count }, (_, at) => {
      return { path: `lib/${at}.js`, kind: 'created', hash: null } as const;
    });
    const record = { ...installed, result: { ...result, files } };
    const rows = screenText(commandView(record, RENDER)).split('\n');
    return rows.slice(rows.findIndex((row) => row.startsWith('  Files')));
  };
  expect(having(2)).toEqual(['  Files    created lib/0.js', '           created lib/1.js']);
  const many = having(1034);
  expect(many).toHaveLength(11);
  expect(many.at(-1)).toBe('           and 1024 more: signalbox diff --stat n5cg');
});
