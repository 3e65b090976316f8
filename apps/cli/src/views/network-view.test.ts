import { expect, test } from 'vitest';
import { screenText } from '../testing/screen-text.ts';
import { networkView } from '../commands/network/network-view.ts';

test('in 80 cells no word is broken, and a host stands apart from what is said of it', () => {
  const host = (pattern: string, from: string | null) => ({
    host: pattern,
    pattern,
    from,
    source: 'npm' as const,
    isAgreed: false,
  });
  const long = 'packages.some-very-long-company-name.and-its-team.example.com';
  const lines = networkView(
    [
      {
        profile: 'packages',
        hosts: [host('registry.npmjs.org', null), host(long, 'package-lock.json')],
        others: [],
      },
    ],
    80,
  );
  expect(screenText(lines, Infinity).split('\n')).toEqual([
    'packages · to install and look up packages; publishing always asks',
    '  ? registry.npmjs.org                                  asks · usual for npm',
    '  ? packages.some-very-long-c…and-its-team.example.com  asks · package-lock.json',
    '',
    'Next: signalbox network allow packages',
    '      lines that reach no other hosts then run without a question, where undo',
    '      can take them back',
  ]);
  expect(screenText(networkView([], Infinity), Infinity)).toContain('Every host');
});
