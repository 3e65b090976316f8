import { spawnSync } from 'node:child_process';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { withInput } from '../operate/exec.ts';

test('bash passes the line exactly that text, whatever it contains', () => {
  const word = fc.constantFrom('a', "'", '"', '$(id)', '`id`', '\\', 'SIGNALBOX_INPUT', '\n', 'é', '}', '<<');
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 12 }), (words) => {
      const text = `${words.join('')}\n`;
      const line = withInput('cat # as it comes', text);
      expect(spawnSync('bash', ['-c', line], { encoding: 'utf8' }).stdout).toBe(text);
    }),
    { numRuns: 30 },
  );
});

test('empty input leaves the line unchanged; input that is too long or not text is rejected', () => {
  expect(withInput('cat', '')).toBe('cat');
  expect(() => withInput('cat', 'x'.repeat(16_384))).toThrow('it is too long');
  expect(() => withInput('cat', 'a\0b')).toThrow('it is not text');
});
