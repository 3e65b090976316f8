import { expect, test } from 'vitest';
import { guessGlobalFlags } from './global-flags.ts';

test('an invalid command line is reported in the colour that it asks for', () => {
  const colorOf = (...argv: readonly string[]) => guessGlobalFlags(argv).color;
  expect(colorOf('--color', 'never', 'policy')).toBe('never');
  expect(colorOf('policy', '--color=always')).toBe('always');
  expect(colorOf('status', '--color', 'blue')).toBe('auto');
  expect(colorOf('exec', '--', 'ls', '--color', 'never')).toBe('auto');
});
