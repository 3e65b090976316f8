import { isAtLeast } from '@signalbox/core';
import { expect, test } from 'vitest';
import { classifyLine } from './classify-line.ts';
import type { Examples } from './program.ts';
import { FAMILIES } from './programs/table.ts';

const at = { cwd: '/repo' };

/** Words that may become anything, each with a plain word that it may become. */
const UNKNOWN_WORDS = [
  ['$x', 'q'],
  ['"$x"', 'q'],
  ['q$x', 'q'],
  ['*', 'q'],
  ['"$x/y"', 'q/y'],
  ['-$x', '-q'],
  ['--$x', '--q'],
  ['"--$x=y"', '--q=y'],
  ['{q,y}', 'q'],
  ['"$(q)"', 'q'],
  ['', ''],
] as const;

/** The examples of all rules that are one simple command of plain words. */
const COMMANDS = [...new Set(Object.values(FAMILIES).flat().flatMap(examplesOf))]
  .filter((line) => !/[\n;|&<>()'"`$\\{}]/.test(line))
  // An unknown word becomes an operand of the command that it starts, and the options of that are distinguished there.
  .filter((line) => !line.startsWith('parallel '))
  .map((line) => line.split(' '));

type Ruled = Readonly<{ examples?: Examples }>;

function examplesOf(
  program: Ruled & Readonly<{ noVerb?: Ruled; otherVerb?: Ruled; verbs?: Readonly<Record<string, Ruled>> }>,
): readonly string[] {
  const { noVerb, otherVerb, verbs = {} } = program;
  return [program, noVerb, otherVerb, ...Object.values(verbs)].flatMap((rule) =>
    Object.values(rule?.examples ?? {}).flat(),
  );
}

test('an unknown word is never safe where one of its possible values is not', () => {
  const milder = variants().filter(
    ({ unknown, plain }) =>
      verdictOn(unknown).level === 'safe' && isAtLeast(classifyLine(plain, at).level, 'warning'),
  );
  expect(milder).toEqual([]);
});

test('no rule fails on an unknown or a missing word', () => {
  const failed = variants().filter(({ unknown }) => verdictOn(unknown).isUnparseable);
  expect(failed).toEqual([]);
});

/** By line: both tests ask for the same 35,000, and each takes a tenth of a millisecond. */
const verdicts = new Map<string, Readonly<{ level: string; isUnparseable: boolean }>>();

function verdictOn(line: string): Readonly<{ level: string; isUnparseable: boolean }> {
  const known = verdicts.get(line);
  if (known !== undefined) return known;
  const { level, reasons } = classifyLine(line, at);
  const verdict = { level, isUnparseable: reasons.some(({ code }) => code === 'unparseable') };
  verdicts.set(line, verdict);
  return verdict;
}

/** Each example with each of its words replaced by something unknown, or left out. */
function variants(): readonly Readonly<{ unknown: string; plain: string }>[] {
  return COMMANDS.flatMap((words) =>
    words.slice(1).flatMap((_word, index) =>
      UNKNOWN_WORDS.map(([unknown, plain]) => ({
        unknown: words.with(index + 1, unknown).join(' '),
        plain: words.with(index + 1, plain).join(' '),
      })),
    ),
  );
}
