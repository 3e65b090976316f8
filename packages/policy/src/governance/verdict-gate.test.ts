import { expect, test } from 'vitest';
import { BASH, policyOf, questionOf } from './testing/question-builders.ts';
import { ruled } from './testing/ruled.ts';

test('command_allowlist_only denies unlisted programs, and lines that can’t be parsed (S000-42)', () => {
  const ruling = (line: string | null | undefined, listed?: readonly string[]): string => {
    const bash = {
      command_allowlist_only: true,
      ...(listed === undefined ? {} : { command_allowlist: listed }),
    };
    return ruled(
      policyOf({ tools: { bash } }),
      questionOf({ tool: BASH, level: 'safe', line: line ?? null }),
    );
  };
  expect(ruling('git log; echo a | test -f b', ['git'])).toBe('allow safe-auto');
  expect(ruling('sed -n 1p a', ['git'])).toBe('deny program-not-listed');
  expect(ruling('$X', ['git'])).toBe('deny program-not-listed');
  expect(ruling('git log "', ['git'])).toBe('deny program-not-listed');
  expect(ruling('git log')).toBe('deny program-not-listed');
  expect(ruling(null, ['git'])).toBe('allow safe-auto');
});
