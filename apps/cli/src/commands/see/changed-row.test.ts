import { expect, test } from 'vitest';
import { aStoryCommand, ended } from '../../testing/records.ts';
import { RENDER, screenText } from '../../testing/screen-text.ts';
import { changedRow } from './follow-commands.ts';

const rows = [
  aStoryCommand('p9ze', 'deepseek', {
    title: 'bash npm install zod@4',
    overrides: { state: 'awaiting_approval', secondsAgo: 41 },
  }),
  aStoryCommand('m2qd', 'a-provider-of-a-long-name', {
    title: 'run_tests',
    overrides: { state: 'running', secondsAgo: 4.2 },
  }),
  ended(aStoryCommand('c9xs', 'anthropic', { title: 'write_file src/日本/勘定書.ts' }), {
    outcome: 'completed',
  }),
];

test('rows printed one by one are aligned, and none is wider than the screen', () => {
  const lines = rows.map((record) => changedRow(record, RENDER.now, RENDER));
  expect(screenText(lines)).toMatchInlineSnapshot(`
    "12:04:33  !  p9ze  deepseek     needs approval        0:41  bash npm i…all zod@4
    12:04:33  ⚡ m2qd  a-provider-… running             0:04.2  run_tests
    12:04:33  ✓  c9xs  anthropic    completed           0:00.0  write_file…勘定書.ts"
  `);
});

test('without a terminal a row has the date, the full id and the whole command', () => {
  const wide = { ...RENDER, width: Infinity };
  expect(
    screenText(
      rows.slice(0, 1).map((record) => changedRow(record, RENDER.now, wide)),
      Infinity,
    ),
  ).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d {2}! {2}cmd_p9ze\w+ .* bash npm install zod@4$/);
});
