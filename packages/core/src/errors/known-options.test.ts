import { expect, test } from 'vitest';
import { UsageError } from './errors.ts';
import { requireKnownOptions } from './known-options.ts';

const known = { workspace: true, clock: true };

test('known options pass, and a misspelt one is refused with the one that was probably meant', () => {
  expect(() => {
    requireKnownOptions('createThing', { workspace: '/a', clock: undefined }, known);
  }).not.toThrow();
  expect(() => {
    requireKnownOptions('createThing', { workspce: '/a' }, known);
  }).toThrow(
    new UsageError(
      'invalid-arguments',
      'Cannot use option "workspce" of createThing: did you mean "workspace"?',
    ),
  );
  expect(() => {
    requireKnownOptions('createThing', { toString: 1 }, known);
  }).toThrow('Cannot use option "toString" of createThing: options: workspace, clock');
});
