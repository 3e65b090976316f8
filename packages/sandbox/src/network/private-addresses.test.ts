import { expect, test } from 'vitest';
import { privateAddressesOf } from './private-addresses.ts';

test.each([
  ['a host of the internet needs no address', 'registry.npmjs.org', ['104.16.0.1', '2606:4700::1'], []],
  ['one with an address of each kind neither', 'split.example', ['10.0.0.1', '104.16.0.1'], []],
  ['a registry of a company does', 'npm.corp.example', ['10.1.2.3', 'fd00::1'], ['10.1.2.3', '[fd00::1]']],
  ['with the port of its pattern', 'npm.corp.example:8443', ['10.1.2.3'], ['10.1.2.3:8443']],
  ['a name without an address has none', 'gone.example', [], []],
  ['what is no address is none', 'odd.example', ['not an address'], []],
  ['this machine is named by its name', 'localhost:4873', ['127.0.0.1'], []],
  ['a pattern of many names is not asked for', '*.corp.example', ['10.1.2.3'], []],
  ['an address is no name', '10.1.2.3', ['10.1.2.3'], []],
])('%s', async (_, pattern, found, expected) => {
  expect(await privateAddressesOf(pattern, async () => found)).toEqual(expected);
});
