import { expect, test } from 'vitest';
import { redactKey } from './redact-key.ts';

test('redactKey() takes out the key wherever it stands', () => {
  expect(redactKey('no AZ-12345678, not AZ-12345678!', 'AZ-12345678')).toBe('no [redacted], not [redacted]!');
});

test('redactKey() takes out what looks like the key of somebody else', () => {
  expect(redactKey('sk-proj-****abcd and bearer abc.def==', 'none')).toBe('[redacted] and Bearer [redacted]');
});

test('redactKey() leaves the words that local servers take for a key', () => {
  expect(redactKey('ollama is not running', 'ollama')).toBe('ollama is not running');
});
