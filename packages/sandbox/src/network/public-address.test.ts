import { expect, test } from 'vitest';
import { parseIpAddress } from '@signalbox/core';
import { isPublicAddress } from './public-address.ts';

const isPublic = (text: string): boolean => {
  const address = parseIpAddress(text);
  if (address === null) throw new Error(`no address: ${text}`);
  return isPublicAddress(address);
};

test.each(['1.1.1.1', '93.184.216.34', '172.15.255.255', '172.32.0.0', '192.167.255.255', '2606:4700::1111'])(
  '%s is public',
  (text) => {
    expect(isPublic(text)).toBe(true);
  },
);

test.each([
  '0.0.0.0',
  '10.1.2.3',
  '100.64.0.1',
  '127.0.0.1',
  '127.255.255.254',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.1.1',
  '198.18.0.1',
  '224.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::ffff:127.0.0.1',
  '::ffff:93.184.216.34',
  '::7f00:1',
  '64:ff9b::7f00:1',
  '64:ff9b::10.0.0.1',
  '2001:db8::1',
  '2001:0:7f00:1::',
  '2002:7f00:1::',
  'fc00::1',
  'fd12:3456::1',
  'fe80::1',
  'ff02::1',
])('%s is private or reserved', (text) => {
  expect(isPublic(text)).toBe(false);
});
