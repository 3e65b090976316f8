import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseTarget } from './host.ts';
import {
  coversHosts,
  HostPattern,
  type HostRule,
  isNamed,
  parseHostPattern,
  patternOfHost,
} from './host-pattern.ts';

const ruleOf = (pattern: string): HostRule => {
  const rule = parseHostPattern(pattern);
  if (rule === null) throw new Error(`no pattern: ${pattern}`);
  return rule;
};

function names(pattern: string, written: string): boolean {
  const target = parseTarget(written);
  if (target === null) throw new Error(`no target: ${written}`);
  return isNamed(target, [ruleOf(pattern)]);
}

test.each([
  ['example.com', 'example.com:443', true],
  ['example.com', 'EXAMPLE.com.:80', true],
  ['example.com', 'example.com:8443', false],
  ['example.com:8443', 'example.com:8443', true],
  ['example.com:8443', 'example.com:443', false],
  ['example.com:*', 'example.com:22', true],
  ['example.com', 'www.example.com:443', false],
  ['example.com', 'example.com.evil.org:443', false],
  ['example.com', 'evilexample.com:443', false],
  ['*.example.com', 'www.example.com:443', true],
  ['*.example.com', 'a.b.example.com:443', true],
  ['*.example.com', 'example.com:443', false],
  ['*.example.com', 'evilexample.com:443', false],
  ['bücher.example', 'xn--bcher-kva.example:443', true],
  ['*', 'anything.example:443', true],
  ['*', '93.184.216.34:443', false],
  ['*', '[2606:2800::1]:443', false],
  ['127.0.0.1:3000', '0x7f.1:3000', true],
  ['127.0.0.1:3000', 'localhost:3000', false],
  ['localhost:3000', '127.0.0.1:3000', false],
  ['10.0.0.0/8:*', '10.200.3.4:5432', true],
  ['10.0.0.0/8:*', '11.0.0.1:5432', false],
  ['[fd00::]/8:*', '[fdab::1]:22', true],
  ['[::1]:3000', '[0:0::1]:3000', true],
])('the pattern %s for %s says %s', (pattern, target, expected) => {
  expect(names(pattern, target)).toBe(expected);
});

test.each([
  '',
  'https://example.com',
  'a b',
  '*.*',
  'x*.com',
  '*.10.0.0.1',
  'example.com:0',
  'example.com:99999',
  '::1',
  '10.0.0.0/33',
  'user@host',
  '*.',
])('%j is not a pattern of hosts', (pattern) => {
  expect(HostPattern.safeParse(pattern).success).toBe(false);
});

test('a pattern that covers another matches everything that the other matches', () => {
  const hosts = fc.constantFrom(
    '*',
    'a.example',
    '*.a.example',
    'b.a.example',
    '*.b.a.example',
    '10.0.0.0/8',
    '10.1.0.0/16',
    '10.1.2.3',
  );
  const pattern = fc.tuple(hosts, fc.constantFrom('', ':443', ':*', ':22')).map((parts) => parts.join(''));
  const target = fc
    .tuple(
      fc.constantFrom('a.example', 'b.a.example', 'c.b.a.example', '10.1.2.3', '10.2.0.1', 'x.org'),
      fc.constantFrom(22, 80, 443),
    )
    .map((parts) => parts.join(':'));
  fc.assert(
    fc.property(pattern, pattern, target, (outer, inner, asked) => {
      const isCovered = coversHosts(ruleOf(outer), ruleOf(inner)) && names(inner, asked);
      expect(names(outer, asked)).toSatisfy((isNamedToo: boolean) => isNamedToo || !isCovered);
    }),
    { numRuns: 2000 },
  );
});

test('coversHosts() detects the wider pattern', () => {
  const covers = (outer: string, inner: string): boolean => coversHosts(ruleOf(outer), ruleOf(inner));
  expect(covers('*.example.com', '*.a.example.com')).toBe(true);
  expect(covers('*', 'example.com')).toBe(true);
  expect(covers('*:*', '*.example.com:22')).toBe(true);
  expect(covers('example.com', '*.example.com')).toBe(false);
  expect(covers('*', '10.0.0.1')).toBe(false);
  expect(covers('example.com', 'example.com:*')).toBe(false);
});

test("patternOfHost() makes a pattern of a verdict's host", () => {
  expect(patternOfHost('Example.com')).toBe('example.com:*');
  expect(patternOfHost('[::1]')).toBe('[::1]:*');
  expect(patternOfHost('*')).toBe(null);
});
