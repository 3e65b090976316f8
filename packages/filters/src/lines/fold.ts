import { hasTimes, isMarker, withTimes } from './marker.ts';
import { isVital } from './vital-line.ts';
import type { LineStep } from './line-step.ts';

/** Fewer equal lines in a row stay as they are: they cost less than the reader's doubt. */
const LEAST_EQUAL = 3;
/** As above, for lines that differ in their numbers. */
const LEAST_SIMILAR = 4;

/** Equal lines in a row become one with their number, `×40`; several blank lines become one. */
export const foldEqual: LineStep = (lines) =>
  foldRuns(lines, {
    keyOf: (line) => line,
    least: (line) => (line.trim() === '' ? 2 : LEAST_EQUAL),
    shown: (run) => (run[0]?.trim() === '' ? '' : withTimes(run[0] ?? '', run.length)),
  });

/** Also lines in a row that differ only in their numbers: the last of them stays, as the latest of a progress. */
export const foldSimilar: LineStep = (lines) =>
  foldRuns(foldEqual(lines), {
    keyOf: (line) => (isVital(line) ? line : line.replaceAll(/\d+/g, '0')),
    least: () => LEAST_SIMILAR,
    shown: (run) => withTimes(run.at(-1) ?? '', run.length),
  });

function foldRuns(
  lines: readonly string[],
  {
    keyOf,
    least,
    shown,
  }: Readonly<{
    keyOf: (line: string) => string;
    least: (line: string) => number;
    shown: (run: readonly string[]) => string;
  }>,
): readonly string[] {
  const folded: string[] = [];
  let run: string[] = [];
  let runKey: string | undefined;

  function end(): void {
    const [first] = run;
    if (first !== undefined && run.length >= least(first)) folded.push(shown(run));
    else folded.push(...run);
    run = [];
  }

  for (const line of lines) {
    const isOurs = isMarker(line) || hasTimes(line);
    const key = isOurs ? undefined : keyOf(line);
    if (key === undefined || key !== runKey) end();
    runKey = key;
    run.push(line);
  }
  end();
  return folded;
}
