import { expect, test } from 'vitest';
import { redactKey, retryAfterMs } from './to-provider-error.ts';

test('redactKey() redacts every occurrence of the key', () => {
  expect(redactKey('no AZ-12345678, not AZ-12345678!', 'AZ-12345678')).toBe('no [redacted], not [redacted]!');
});

test('redactKey() redacts anything that looks like a key', () => {
  expect(redactKey('sk-proj-****abcd and bearer abc.def==', 'none')).toBe('[redacted] and Bearer [redacted]');
});

test('redactKey() keeps the placeholder keys of local servers', () => {
  expect(redactKey('ollama is not running', 'ollama')).toBe('ollama is not running');
});

const NOW = Date.UTC(2026, 0, 1);

test.each([
  ['seconds', { 'retry-after': '7' }, 7000],
  ['parts of a second', { 'retry-after': '0.25' }, 250],
  ['milliseconds before seconds', { 'retry-after-ms': '1500', 'retry-after': '7' }, 1500],
  ['a date', { 'retry-after': 'Thu, 01 Jan 2026 00:00:30 GMT' }, 30_000],
  ['a date that is past', { 'retry-after': 'Wed, 31 Dec 2025 23:59:00 GMT' }, 0],
  ['more than a day', { 'retry-after': '900000' }, 86_400_000],
  ['a negative number', { 'retry-after': '-5' }, undefined],
  ['no number and no date', { 'retry-after': 'soon' }, undefined],
  ['nothing', {}, undefined],
])('retryAfterMs() reads %s', (_, headers, expected) => {
  expect(retryAfterMs(new Headers(headers as Record<string, string>), NOW)).toBe(expected);
});
