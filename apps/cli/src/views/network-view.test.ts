import { expect, test } from 'vitest';
import { screenText } from '../testing/screen-text.ts';
import { agreeView, networkView } from '../commands/rules/network-view.ts';

test('in 80 cells no word is broken, and a host is separate from its description', () => {
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
    'packages · to install and look up packages; publishing always needs approval',
    '  ? registry.npmjs.org                        needs approval · usual for npm',
    '  ? packages.some-very-l…ts-team.example.com  needs approval · package-lock.json',
    '',
    'Next: signalbox network allow packages',
    '      lines that reach only these hosts then run without approval if they can be',
    '      undone',
  ]);
  expect(screenText(networkView([], Infinity), Infinity)).toContain('Every host');
});

test('an address agreed to together with a host shows whose it is', () => {
  const hosts = ['index.example', 'static.example'];
  const lines = agreeView(new Map([['packages', [...hosts, '10.0.0.9']]]), 80, {
    addresses: new Map(hosts.map((host) => [host, ['10.0.0.9']])),
    proposals: [
      {
        profile: 'packages',
        hosts: hosts.map((host) => ({ host, pattern: host, from: null, source: 'cargo', isAgreed: false })),
        others: [],
      },
    ],
  });
  expect(screenText(lines, 80).split('\n').slice(1, -1)).toEqual([
    '  packages · to install and look up packages; publishing always needs approval',
    '    index.example                       usual for cargo',
    '    static.example                      usual for cargo',
    '    10.0.0.9                            address here of index.example and 1 more',
  ]);
});
