import { aProviderId } from '@signalbox/core/testing';
import { expect, test } from 'vitest';
import { RENDER, screenText } from '../testing/screen-text.ts';
import { reviewView } from './review-view.ts';

test('text too wide for a row of 80 cells wraps between words below it, and the file name is kept', () => {
  const file = (path: string, others: readonly string[]) => ({
    path,
    added: 1204,
    removed: 33,
    alsoChangedBy: others.map((one) => aProviderId(one)),
    isCurrent: false,
    isByHand: true,
    changes: [],
  });
  const long = 'packages/dashboard/src/components/checkout/summary/order-summary-with-taxes.test.tsx';
  const review = {
    message: '',
    checks: [],
    hidden: [],
    providers: [
      {
        provider: aProviderId('openai'),
        files: [file('src/a.ts', []), file(long, ['anthropic', 'gemini', 'deepseek', 'mistral', 'xai'])],
      },
    ],
  };
  expect(screenText(reviewView(review, RENDER), Infinity).split('\n')).toEqual([
    'Review   2 files changed by 1 provider',
    ' openai',
    '   1  src/a.ts  +1204 -33   edited by hand since',
    '   2  packages/dashboard/src/componen…der-summary-with-taxes.test.tsx  +1204 -33',
    '      also changed by anthropic, gemini, deepseek, mistral, xai   edited by hand',
    '      since',
  ]);
});
