import { expect, test } from 'vitest';
import { RENDER, screenText } from '../../testing/screen-text.ts';
import { previewLines } from './preview-view.ts';

test.each([
  { remote: 'https://example.com/x.git', shown: 'https://example.com/x.git' },
  { remote: 'origin', shown: 'origin https://example.com/x.git' },
])('the address of a push is named once: $shown', ({ remote, shown }) => {
  const push = {
    kind: 'push',
    remote,
    url: 'https://example.com/x.git',
    from: 'main',
    to: 'main',
    deed: 'update',
    commits: [],
    commitCount: 0,
    lost: [],
    lostCount: 0,
    notes: [],
  } as const;
  const preview = { title: 'push', parts: [push], undo: { kind: 'unneeded' }, neighbours: [] } as const;
  const [row] = screenText(previewLines(preview, false, RENDER)).split('\n');
  expect(row).toMatch(new RegExp(`^ *Remote {3}${shown}$`));
});
