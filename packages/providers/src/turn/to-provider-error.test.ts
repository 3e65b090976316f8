import { expect, test } from 'vitest';
import { redactKey } from './redact-key.ts';

test('redactKey() redacts every occurrence of the key', () => {
  expect(redactKey('no AZ-12345678, not AZ-12345678!', 'AZ-12345678')).toBe('no [redacted], not [redacted]!');
});

test('redactKey() redacts anything that looks like a key', () => {
  expect(redactKey('sk-proj-****abcd and bearer abc.def==', 'none')).toBe('[redacted] and Bearer [redacted]');
});

test('redactKey() keeps the placeholder keys of local servers', () => {
  expect(redactKey('ollama is not running', 'ollama')).toBe('ollama is not running');
});
