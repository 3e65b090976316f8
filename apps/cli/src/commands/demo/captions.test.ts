import { aCommandRecord, ended } from '@signalbox/core/testing';
import { expect, test } from 'vitest';
import type { Line } from '../../terminal/line.ts';
import { createCaptions, openingLines } from './captions.ts';
import { checkScenes } from './check-scenes.ts';
import { closingLines } from './closing-lines.ts';
import type { DemoReport } from './run-demo.ts';
import { summarise } from './summarise.ts';
import { aDemoLog } from './testing/demo-log.ts';

const textOf = (lines: readonly Line[]): readonly string[] =>
  lines.map((pieces) => pieces.map(({ text }) => text).join(''));

/** The stored record of a rejected write. */
function aStaleRecord() {
  const record = ended(aCommandRecord(), { outcome: 'conflict' });
  const why = [
    'What changed since:',
    '@@ -1 +1 @@',
    ' same',
    '-  return sum - discountPercent;',
    '+  return 0;',
  ];
  const failure = {
    code: 'stale-write',
    category: 'InvalidParameters',
    message: 'x',
    why,
    visibility: 'visible',
  };
  return { ...record, result: { ...record.result, failure } } as typeof record;
}

test('each scene has one caption, once it has happened', async () => {
  const captions = createCaptions({ get: () => Promise.resolve(aStaleRecord()) }, false);
  const lines: Line[] = [];
  for (const event of aDemoLog()) lines.push(...(await captions(event)));
  expect(textOf(lines)).toEqual([
    '  » 6 reads and a test run at once, nothing waits',
    '  » ✓✓✓✗✗✗✗✗✗  3 of 9 tests pass',
    '  » openai asks for the same tests: not run again, this tree was tested 50 ms ago,',
    '    run by anthropic in 2.0 s',
    '  » two writers, two files: neither waits for the other',
    '  » blocked: no approval possible, nothing ran, the provider gets the reason',
    '  » deepseek run_tests holds the workspace to read',
    '    └ anthropic write_file src/cart.ts waits for it',
    '      └ openai write_file src/cart.ts waits behind both',
    '  » stale write rejected: openai had read the cart before anthropic wrote it',
    '    -  return sum - discountPercent;',
    '    +  return 0;',
    "  » redone on anthropic's version: both changes are in",
    "  » You can answer; after 8 s the demo's scripted person does",
    '    (a real approval stays open for 30 minutes, and longer while you are away)',
    '  » ✓✓✓✓✓✓✓✓✓  9 of 9 tests pass',
  ]);
});

test('the first line says that no model is called, and where commands run without a sandbox', () => {
  expect(textOf(openingLines('/tmp/shop', true))).toEqual([
    'Three scripted providers: no model calls, no keys, no network.',
    'A real workspace, real commands, the real queue and sandbox:',
    '  /tmp/shop',
    'No sandbox works here: commands run without one, in that folder only.',
  ]);
});

function aReport(events = aDemoLog()): DemoReport {
  const scenes = checkScenes(events);
  return {
    workspace: '/tmp/shop',
    scenes,
    summary: summarise(events),
    audit: { files: [], lines: 17, commands: 17, torn: [], problems: [], head: '' },
    events,
    records: [],
    complete: scenes.every(({ happened }) => happened),
  };
}

const HERE = { missingFolder: null, onRedis: false };

test('the last lines give the results in numbers', () => {
  expect(textOf(closingLines(aReport(), HERE))).toEqual([
    '✓ 9 of 9 tests pass · 3 providers · 18 commands · 20 s · $0.00 (scripted)',
    '  6 reads ran together · 2 waits, 2.8 s · 1 stale write rejected and redone',
    '  1 line blocked · 1 approval granted (scripted person) · audit log consistent',
    '  tests run once per tree · about 310 tokens and 1 call (2.0 s) saved',
    '  If allowed, the stale write would have broken 2 tests again.',
    'Look:  signalbox diff --stat -C /tmp/shop',
    '       signalbox history -C /tmp/shop',
    '       signalbox audit verify -C /tmp/shop',
    'Yours: cd your-code && signalbox init && signalbox run "Make the tests pass"',
  ]);
});

test('the last lines can be pasted unchanged, whatever the folders are called', () => {
  const report = { ...aReport(), workspace: '/tmp/my shop' };
  expect(
    textOf(closingLines(report, { missingFolder: '/srv/my code/bin', onRedis: true })).slice(5, 8),
  ).toEqual([
    `First: export PATH='/srv/my code/bin:'"$PATH"`,
    'First: export SIGNALBOX_REDIS_URL=…   the address of that Redis',
    "Look:  signalbox diff --stat -C '/tmp/my shop'",
  ]);
});

test('no next steps are shown for a removed folder', () => {
  expect(textOf(closingLines(aReport(), null)).slice(5)).toEqual([
    'Yours: cd your-code && signalbox init && signalbox run "Make the tests pass"',
  ]);
});

test('the last lines of a failed demo name every missing scene, and why', () => {
  const events = aDemoLog().filter((event) => !('title' in event) || !event.title.includes('curl'));
  expect(textOf(closingLines(aReport(events), HERE)).slice(0, 2)).toEqual([
    '✗ 9 of 9 tests pass · 3 providers · 17 commands · 20 s · $0.00 (scripted)',
    '  did not happen: a blocked line (no shell line was blocked)',
  ]);
});
