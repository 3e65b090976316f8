import { ProviderId, type Ruling, treeResource, writeClaim } from '@signalbox/core';
import { aProviderId } from '@signalbox/core/testing';
import { expect, test } from 'vitest';
import { aVerdict } from '../../testing/records.ts';
import { RENDER, screenText } from '../../testing/screen-text.ts';
import { checkView } from './check-view.ts';

const line = 'rm -rf dist && npm run build';
const judged = {
  line,
  verdict: aVerdict(
    'dangerous',
    [
      {
        level: 'dangerous',
        code: 'delete-recursive',
        text: 'deletes recursively: dist',
        span: { start: 0, end: 11 },
      },
      {
        level: 'safe',
        code: 'script',
        text: 'runs repository code: package.json "build", in the sandbox',
        span: { start: 15, end: 28 },
      },
    ],
    { effects: [{ kind: 'write-unknown' }] },
  ),
  ruling: {
    kind: 'ask',
    rule: 'dangerous-asks',
    source: 'built in',
    reason: 'dangerous calls always need approval',
    approvers: 1,
  },
  claims: [writeClaim(treeResource('dist'))],
  mode: 'NORMAL',
  trust: 'provisional',
  failure: null,
  provider: aProviderId('openai'),
} as const;

test('each reason has a number under its part of the line', () => {
  expect(screenText(checkView(judged, RENDER))).toMatchInlineSnapshot(`
    "ask · dangerous
      rm -rf dist && npm run build
      ~~~~~1~~~~~    ~~~~~~2~~~~~~
      1 dangerous  deletes recursively: dist
      2 safe       runs repository code: package.json "build", in the sandbox
      Claims  write tree:dist · its writes are unknown until it runs
      Rule    dangerous-asks (built in) · mode NORMAL · trust provisional
      Why     dangerous calls always need approval
    Nothing was run. For a provider it needs approval."
  `);
});

test('the end says what happens to the line, from the user or from a provider', () => {
  const last = (provider: ProviderId, ruling: Ruling) =>
    screenText(checkView({ ...judged, ruling, provider }, RENDER))
      .split('\n')
      .at(-1);
  const you = ProviderId.parse('you');
  const allow: Ruling = { kind: 'allow', rule: 'safe', source: 'built in', reason: 'it only looks' };
  expect(last(you, judged.ruling)).toBe('Nothing was run. signalbox exec asks you first.');
  expect(last(you, allow)).toBe('Nothing was run. signalbox exec runs it without approval.');
  expect(last(aProviderId('openai'), allow)).toBe(
    'Nothing was run. For a provider it runs without approval.',
  );
});

test('a line longer than the screen wraps and loses nothing', () => {
  const long = `echo ${'abcdefghij'.repeat(30)} end`;
  const text = screenText(checkView({ ...judged, line: long, verdict: aVerdict('safe', []) }, RENDER));
  expect(text.replaceAll(/\s/g, '')).toContain(long.replaceAll(' ', ''));
  for (const row of text.split('\n')) expect(row.length).toBeLessThanOrEqual(80);
});
