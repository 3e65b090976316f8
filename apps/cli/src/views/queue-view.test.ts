import { readClaim, pathResource, treeResource, writeClaim } from '@signalbox/core';
import { aCommandId, aProviderId } from '@signalbox/core/testing';
import { expect, test } from 'vitest';
import { aStoryCommand } from '../testing/records.ts';
import { RENDER, screenText } from '../testing/screen-text.ts';
import { queueView } from './queue-view.ts';

test('the queue names what each command waits for and behind whom', () => {
  const commands = [
    aStoryCommand('m2qd', 'anthropic', {
      title: 'run_tests',
      overrides: { state: 'running', secondsAgo: 4.2 },
    }),
    aStoryCommand('v3hs', 'local', { title: 'bash npx tsc' }),
    aStoryCommand('k7f3', 'openai', { title: 'write_file src/cart.ts' }),
    aStoryCommand('w5ja', 'claude-code', { title: 'bash mv src/tax src/pricing' }),
  ];
  const waiting = [
    {
      commandId: aCommandId('k7f3'),
      provider: aProviderId('openai'),
      claims: [writeClaim(pathResource('src/cart.ts'))],
      priority: 100,
      since: RENDER.now - 3100,
      blockers: [aCommandId('m2qd'), aCommandId('v3hs')],
    },
    {
      commandId: aCommandId('w5ja'),
      provider: aProviderId('claude-code'),
      claims: [writeClaim(treeResource('src')), readClaim(pathResource('package.json'))],
      priority: 100,
      since: RENDER.now - 1000,
      blockers: [aCommandId('k7f3'), aCommandId('m2qd'), aCommandId('v3hs')],
    },
  ];
  const data = {
    snapshot: { waiting, leases: [] },
    counts: [{ state: 'queued' as const, provider: aProviderId('openai'), commands: 2 }],
    stuck: [],
    commands: new Map(commands.map((record) => [record.id, record])),
    limits: { maxConcurrent: 3, maxWaitMs: 600_000 },
  };
  expect(screenText(queueView(data, RENDER))).toMatchInlineSnapshot(`
    "   ID    PROVIDER     WANTS                     WAITS   BEHIND
    1  k7f3  openai       write path:src/cart.ts    0:03.1  m2qd anthropic, v3hs lo…
    2  w5ja  claude-code  write tree:src, read pa…  0:01.0  k7f3 openai, m2qd anthr…
    m2qd anthropic is a test run, running for 0:04.2
    Tests and linters hold the workspace while they run only with isolation: stable
    in signalbox.yaml, or where the sandbox has no transactions
    2 waiting, longest 0:03.1 · 0 of 3 slots in use · cancelled after 10:00"
  `);
});

test('of a queue of thousands the first are listed, and the others counted (F-B4)', () => {
  const waiting = Array.from({ length: 3 }, (_, n) => ({
    commandId: aCommandId(`k${n}f3`),
    provider: aProviderId('openai'),
    claims: [],
    priority: 100,
    since: RENDER.now - 1000,
    blockers: [],
  }));
  const data = {
    snapshot: { waiting, leases: [] },
    counts: [
      { state: 'queued' as const, provider: aProviderId('openai'), commands: 49_000 },
      { state: 'queued' as const, provider: aProviderId('local'), commands: 1000 },
      { state: 'running' as const, provider: aProviderId('local'), commands: 3 },
    ],
    stuck: [],
    commands: new Map(),
    limits: null,
  };
  const text = screenText(queueView(data, RENDER));
  expect(text).toContain('and 49,997 more');
  expect(text).toContain('50,000 waiting, longest');
});

test('the queue names commands whose files are partly applied, and why they could not be rolled back', () => {
  const stuck = [{ command: aCommandId('k7f3'), since: RENDER.now - 61_000, why: 'the disk is full' }];
  const data = {
    snapshot: { waiting: [], leases: [] },
    counts: [],
    stuck,
    commands: new Map(),
    limits: { maxConcurrent: 3, maxWaitMs: 600_000 },
  };
  expect(screenText(queueView(data, RENDER))).toMatch(/k7f3 is partly applied [^]*1:01[^]*the disk is full/);
});
