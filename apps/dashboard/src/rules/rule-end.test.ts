import { expect, test } from 'vitest';
import { withEnd } from './rule-end.ts';

const RULE = 'rules:\n  - id: allow-touch\n    allow: { program: touch }\n';
const NOW = Date.parse('2026-03-01T10:00:00.500Z');

test('an expiry is written once, and removed again', () => {
  const week = withEnd(RULE, '7', { now: NOW });
  expect(week).toBe(
    'rules:\n  - id: allow-touch\n    expires: 2026-03-08T10:00:00Z\n    allow: { program: touch }\n',
  );
  expect(withEnd(week, '1', { now: NOW })).toContain('expires: 2026-03-02T10:00:00Z');
  expect(withEnd(withEnd(week, '1', { now: NOW }), '', { now: NOW })).toBe(RULE);
});

test('a text that is not a rule yet stays as typed', () => {
  expect(withEnd('not yet', '7', { now: NOW })).toBe('not yet');
});
