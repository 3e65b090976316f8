import { expect, test } from 'vitest';
import { privateAddressesOf } from './private-addresses.ts';

test.each([
  ['a public host needs no address', 'registry.npmjs.org', ['104.16.0.1', '2606:4700::1'], []],
  ['a host with public and private addresses needs none', 'split.example', ['10.0.0.1', '104.16.0.1'], []],
  [
    'a company registry needs its addresses',
    'npm.corp.example',
    ['10.1.2.3', 'fd00::1'],
    ['10.1.2.3', '[fd00::1]'],
  ],
  ['addresses get the port of the pattern', 'npm.corp.example:8443', ['10.1.2.3'], ['10.1.2.3:8443']],
  ['a name without an address has none', 'gone.example', [], []],
  ['an invalid address is ignored', 'odd.example', ['not an address'], []],
  ['localhost needs no address', 'localhost:4873', ['127.0.0.1'], []],
  ['a wildcard is not resolved', '*.corp.example', ['10.1.2.3'], []],
  ['an address is not resolved', '10.1.2.3', ['10.1.2.3'], []],
])('%s', async (_, pattern, found, expected) => {
  expect(await privateAddressesOf(pattern, async () => found)).toEqual(expected);
});
