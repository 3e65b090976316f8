import { expect, test } from 'vitest';
import { type AgreedHosts, agreedPatterns } from './agreed-hosts.ts';

const AGREED: AgreedHosts = {
  packages: ['registry.npmjs.org', '*.acme.example:8443'],
  remotes: ['github.com'],
  localhost: ['localhost:3000'],
};

test.each([
  ['a registry that was agreed to', { host: 'registry.npmjs.org', source: 'npm' }, AGREED.packages],
  ['a host below one', { host: 'npm.acme.example', source: 'npm' }, AGREED.packages],
  ['a remote', { host: 'github.com', source: 'git' }, AGREED.remotes],
  ['this machine', { host: 'localhost' }, AGREED.localhost],
  ['a host that a line names itself', { host: 'github.com' }, AGREED.remotes],
  ['a registry of another project', { host: 'evil.example', source: 'npm' }, []],
  ['packages from a host that was agreed to for commits', { host: 'github.com', source: 'npm' }, []],
  ['unknown hosts', { source: 'npm' }, []],
  ['what is no host', { host: 'no host at all' }, []],
  ['every host', { host: '*' }, []],
] as const)('%s may reach the whole list that names it, or nothing', (_, effect, expected) => {
  expect(agreedPatterns({ kind: 'network', ...effect }, AGREED)).toEqual(expected);
});

test('an invalid host in a list is skipped, and the others are agreed to', () => {
  const agreed = { ...AGREED, packages: ['no host', 'pypi.org'] };
  expect(agreedPatterns({ kind: 'network', host: 'pypi.org' }, agreed)).toEqual(agreed.packages);
});
