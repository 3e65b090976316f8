import { expect, test } from 'vitest';
import { RENDER, screenText } from '../../testing/screen-text.ts';
import { moreLines } from './more-lines.ts';

const FLAGS = { directory: 'my shop' } as Parameters<typeof moreLines>[2]['flags'];

test('the next page is requested with the same flags, in rows that fit the screen and that a shell reads as one line', () => {
  const asked = {
    provider: 'openai',
    outcome: ['failed', 'lost'],
    since: 5_400_000,
    all: true,
    tool: undefined,
  };
  const context = { flags: FLAGS, noticeRender: () => ({ ...RENDER, width: 50 }) };
  const lines = moreLines('history', { asked, next: '1795353168335.cmd_a99n3bmby4ca' }, context);
  expect(screenText(lines, 50)).toBe(String.raw`more: signalbox history --provider openai \
  --outcome failed --outcome lost --since 90m \
  --all --directory 'my shop' \
  --cursor 1795353168335.cmd_a99n3bmby4ca`);
});
