import { Level } from '@signalbox/core';
import { classifyLine } from '../shell/classify-line.ts';
import type { Examples, ProgramRules } from '../shell/program.ts';
import { FAMILIES } from '../shell/programs/table.ts';

/** An example line of the program table, with its required level. */
export type BuiltInExample = {
  readonly program: string;
  readonly line: string;
  readonly expects: Level;
  readonly got: Level;
};

/** Classifies every example in the data of the classifier. */
export function checkBuiltInExamples(): readonly BuiltInExample[] {
  return Object.values(FAMILIES)
    .flat()
    .flatMap((program) =>
      examplesOf(program).map(([line, expects]) => ({
        program: String(program.names[0]),
        line,
        expects,
        got: classifyLine(line, { cwd: '/workspace' }).level,
      })),
    );
}

function examplesOf(program: ProgramRules): readonly (readonly [string, Level])[] {
  const rules = [program, ...Object.values(program.verbs ?? {})];
  return rules.flatMap(({ examples = {} }: { examples?: Examples }) =>
    Level.options.flatMap((level) => (examples[level] ?? []).map((line) => [line, level] as const)),
  );
}
