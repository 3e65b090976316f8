import { BlockList, isIP } from 'node:net';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { isInRange, parseAddressRange, parseIpAddress } from './ip-address.ts';

test('parseIpAddress() accepts exactly what Node.js calls an address', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.ipV4(),
        fc.ipV6(),
        fc.string({ unit: fc.constantFrom('0', '1', '2', '3', 'a', 'f', ':', '.') }),
      ),
      (text) => {
        expect(parseIpAddress(text)?.family ?? 0).toBe(isIP(text));
      },
    ),
    { numRuns: 1000 },
  );
});

test('parseIpAddress() reads an IPv4 address at the end of an IPv6 one', () => {
  expect(parseIpAddress('::ffff:10.0.0.1')).toEqual({ family: 6, value: 0xffff_0a00_0001n });
});

test("isInRange() agrees with the system's block list", () => {
  fc.assert(
    fc.property(
      fc.ipV4(),
      fc.integer({ min: 1, max: 32 }),
      fc.ipV4(),
      fc.boolean(),
      (net, prefix, other, near) => {
        const last = Number(other.split('.')[3]);
        const asked = near ? `${net.split('.').slice(0, 3).join('.')}.${last}` : other;
        const list = new BlockList();
        list.addSubnet(net, prefix);
        const [range, address] = [parseAddressRange(`${net}/${prefix}`), parseIpAddress(asked)];
        if (range === null || address === null) throw new Error('not read');
        expect(isInRange(address, range)).toBe(list.check(asked));
      },
    ),
    { numRuns: 500 },
  );
});

test('parseAddressRange() refuses an invalid prefix length', () => {
  for (const text of [
    '10.0.0.0/33',
    '10.0.0.0/',
    '10.0.0.0/8/8',
    '::/129',
    '10.0.0.0/-1',
    '10.0.0/8',
    '/8',
  ]) {
    expect(parseAddressRange(text)).toBe(null);
  }
  expect(parseAddressRange('::1')?.prefix).toBe(128);
});
