import { Level, Verdict } from '@signalbox/core';
import { describe, expect, test } from 'vitest';
import { classifyLine } from '../classify-line.ts';
import type { Examples, Program } from '../program.ts';
import { FAMILIES, programNamed } from './table.ts';

/** Every example of every rule, with the name of the program it stands at. */
function examplesOf(program: Program): readonly (readonly [string, Level])[] {
  const rules = [program, ...Object.values(program.verbs ?? {})];
  return rules.flatMap(({ examples = {} }: { examples?: Examples }) =>
    Level.options.flatMap((level) => (examples[level] ?? []).map((line) => [line, level] as const)),
  );
}

const programs = FAMILIES.flat();

describe('the rules of programs', () => {
  for (const program of programs) {
    const [name = '?'] = program.names;
    test.each(examplesOf(program))(`${name}: %j is %s`, (line, level) => {
      const verdict = classifyLine(line, { cwd: '/repo' });
      expect(verdict).toMatchObject({ level });
      // What throws inside is dangerous: an example must not be right by that.
      expect(verdict.reasons.map((reason) => reason.text)).not.toContain("can't be analysed");
      expect(Verdict.safeParse(verdict).error).toBeUndefined();
    });
  }

  test('every program has examples', () => {
    const bare = programs.filter((program) => examplesOf(program).length === 0);
    expect(bare.map((program) => program.names)).toEqual([]);
  });

  test('no name is given to two programs', () => {
    const names = programs.flatMap((program) => program.names);
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
  });

  test('a name with a version is found by its stem', () => {
    expect(programNamed('python3.12')).toBe(programNamed('python'));
    expect(programNamed('gcc-13')).toBe(programNamed('gcc'));
    expect(programNamed('frobnicate3')).toBeUndefined();
    expect(programNamed('cat5')).toBeUndefined();
  });
});
