import type { PrintedOutput } from '@signalbox/core';
import { isReader, printerOf } from './built-in/readers.ts';
import type { Filter } from './filter.ts';
import { screenLines } from './lines/screen-lines.ts';
import { matchesProgram } from './match/command-matcher.ts';

/** More programs of one line are not looked at. */
const MAX_PIPES = 32;

/**
 * The filters for an output: for each program the first that is for it. Behind a program that is for none, such as
 * `npm test`, those whose signature is in the output. `otherwise` if there is no other, unless a program of the line
 * prints what it was asked for.
 */
export function chooseFilters(
  output: Pick<PrintedOutput, 'pipes' | 'stdout' | 'stderr'>,
  { filters, otherwise }: Readonly<{ filters: readonly Filter[]; otherwise: Filter | undefined }>,
): readonly Filter[] {
  const chosen = new Set<Filter>();
  let isUnknown = output.pipes.length === 0;
  let isRead = false;
  for (const pipe of output.pipes.slice(0, MAX_PIPES)) {
    const program = printerOf(pipe);
    if (program === undefined) continue;
    const found = filters.find(({ matchers }) =>
      matchers.some((matcher) => matchesProgram(matcher, program)),
    );
    if (found !== undefined) chosen.add(found);
    else if (isReader(program)) isRead = true;
    else isUnknown = true;
  }
  if (isUnknown) for (const filter of signedFilters(output, filters)) chosen.add(filter);
  if (chosen.size === 0 && !isRead && otherwise !== undefined) chosen.add(otherwise);
  // In their order, whatever the order of the programs.
  return [...filters, ...(otherwise === undefined ? [] : [otherwise])].filter((filter) => chosen.has(filter));
}

function signedFilters(
  { stdout, stderr }: Pick<PrintedOutput, 'stdout' | 'stderr'>,
  filters: readonly Filter[],
): readonly Filter[] {
  const lines = [stdout, stderr].flatMap((text) => screenLines(sampleOf(text)));
  return filters.filter(({ isSignature }) => isSignature !== undefined && lines.some(isSignature));
}

/** Characters at the beginning and the end in which signatures are searched. */
const [HEAD, TAIL] = [16_384, 32_768] as const;

function sampleOf(text: string): string {
  return text.length <= HEAD + TAIL ? text : `${text.slice(0, HEAD)}\n${text.slice(-TAIL)}`;
}
