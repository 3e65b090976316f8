import { expect, test } from 'vitest';
import { backtrackingOf } from './backtracking-of.ts';

test.each([
  [/^(a+)+$/],
  [/^(a|a)*b/],
  [/^(?:a|b|ab)*c/],
  [/^(x+x+)+y/],
  [/^(a*)*b/],
  [/^(?:0\d*|[pn])*$/],
  [/(?!(?:a+)+b)c/],
  [/^(?=.*x)(?:a|a)*$/],
  // It may end early, but tries for long before that.
  [/^a(?:(b+)+c)?/],
])('%s takes exponential time', (pattern) => {
  expect(backtrackingOf(pattern.source, pattern.flags)).toBe('exponential');
});

test.each([
  [/\s+$/],
  [/a+b/],
  [/<[^>]*x/],
  [/^.*a.*b$/],
  [/^(?:ab)*(?:ab)*$/],
  [/^(.*?)(\s*)$/s],
  [/^(?:.*?\/)?\.git\/(.+)$/],
  [/x(?=.*y)/],
  // In `\"\"\"`, each quote may be the first.
  [/"(?:[^"\\]|\\.)*"/],
  [/#.{0,2000}x/],
  [/^(?:a(?:.*b)?)*/],
  [/x(?:.*y)?/g],
  [/=.*$/],
])('%s takes polynomial time', (pattern) => {
  expect(backtrackingOf(pattern.source, pattern.flags)).toBe('polynomial');
});

test.each([
  [/^\s+$/],
  [/(?<!\s)\s+$/],
  [/\s+/g],
  [/"[^"]*"/],
  [/"(?:[^"\\]|\\.)*"/y],
  [/^\w+\s*\w*/],
  [/^(?:a?)*b/],
  [/(?:\s|#[^\n]*|\\\n)*/y],
  [/a+b/y],
  [/=.*$/s],
  [/=[^]*/],
  [/^[ \t]*agree:/m],
  [/\bif\b|\bfor\b/g],
  [/[^\n]*\n|[^\n]+/g],
  [/\d{1,3}(?:\.\d{1,3}){3}/],
  [/[\p{Script=Latin}--[a-z]]+/v],
  [/\\(?=x[0-9a-f]{2})/g],
  [/(?<=a.{2})b/],
])('%s takes linear time', (pattern) => {
  expect(backtrackingOf(pattern.source, pattern.flags)).toBe('none');
});

test.each([
  [/(a)\1/, 'it has a back reference'],
  [/(?<=a.*)b/, 'it looks back without end'],
  [/^(?:a?){30}b/, 'it counts what may be empty'],
])('the time of %s is unknown', (pattern, why) => {
  expect(() => backtrackingOf(pattern.source, pattern.flags)).toThrow(why);
});
