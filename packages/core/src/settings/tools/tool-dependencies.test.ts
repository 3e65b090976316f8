import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { toolDependencies } from './tool-dependencies.ts';

const rule = (...requires: readonly string[]) => ({ requires, prefers: ['list_directory'] });

test('a rule is found by any spelling of its tool, and an edit goes by the rule of a write (S001-86, S001-87)', () => {
  const dependencies = toolDependencies({ 'file.write': rule('read_file') });
  for (const tool of ['write_file', 'edit_file'])
    expect(dependencies.of(tool)).toEqual({ requires: ['read_file'], prefers: ['list_directory'] });
  expect(dependencies.of('read_file')).toEqual({ requires: [], prefers: [] });
  expect(dependencies.cycles).toEqual([]);
  const own = toolDependencies({ write_file: rule('read_file'), edit_file: rule('bash') });
  expect(own.of('edit_file').requires).toEqual(['bash']);
});

test('tools that require each other require nothing, and each cycle is listed once (S001-88)', () => {
  const dependencies = toolDependencies({
    a: rule('b'),
    b: rule('c', 'x'),
    c: rule('a'),
    d: rule('a'),
    e: rule('e'),
    git_add: rule('git_*'),
  });
  expect(dependencies.cycles).toEqual([['a', 'b', 'c'], ['e'], ['git_add']]);
  expect(['a', 'b', 'c', 'd', 'e'].map((tool) => dependencies.of(tool).requires)).toEqual([
    [],
    [],
    [],
    ['a'],
    [],
  ]);
  expect(dependencies.of('a').prefers).toEqual(['list_directory']);
});

test('no rules leave a tool that waits for itself (S001-93)', () => {
  const name = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f');
  const rules = fc.dictionary(name, fc.record({ requires: fc.array(name), prefers: fc.constant([]) }));
  fc.assert(
    fc.property(rules, (given) => {
      const dependencies = toolDependencies(given);
      const done = new Set<string>();
      // Whoever requires nothing more is done, until nothing changes.
      for (let round = 0; round < 6; round++)
        for (const tool of 'abcdef')
          if (dependencies.of(tool).requires.every((one) => done.has(one))) done.add(tool);
      expect(done.size).toBe(6);
    }),
  );
});
