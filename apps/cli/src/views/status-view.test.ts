import { expect, test } from 'vitest';
import { anAskedCommand } from '../testing/records.ts';
import { LOOK, screenText } from '../testing/screen-text.ts';
import { statusView } from './status-view.ts';

test('the status names who waits for a person, and how to answer', () => {
  const lines = statusView(
    {
      workspace: 'shop',
      mode: 'NORMAL',
      runningSince: LOOK.now - 724_000,
      counts: { running: 2, waiting: 2, done: 61, failed: 3 },
      maxConcurrent: 3,
      approvals: [anAskedCommand('npm install zod@4', 'warning', [])],
      budget: 2,
    },
    LOOK,
  );
  expect(screenText(lines)).toMatchInlineSnapshot(`
    "shop · NORMAL · embedded · up 12:04
    2 of 3 running   2 waiting   1 approval   61 done   3 failed   budget $2.00
    ! p9ze deepseek  bash npm install zod@4                                4:19 left
      signalbox approve p9ze      signalbox deny p9ze -m "…""
  `);
});
