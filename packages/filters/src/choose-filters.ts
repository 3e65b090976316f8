import type { PrintedOutput } from '@signalbox/core';
import { isReader, printerOf } from './built-in/readers.ts';
import type { Filter } from './filter.ts';
import { screenLines } from './lines/screen-lines.ts';
import { matchesProgram } from './match/command-matcher.ts';

/** More programs of one line are not looked at. */
const MAX_PIPES = 32;

/** What is chosen from. */
type Choice = Readonly<{
  filters: readonly Filter[];
  otherwise: Filter | undefined;
  /** Of {@link anySignature}. */
  signature: RegExp;
}>;

/**
 * The filters for an output: for each program the first that is for it. Behind a program that is for none, such as
 * `npm test`, those whose signature is in the output. `otherwise` if there is no other, unless a program of the line
 * prints what it was asked for.
 */
export function chooseFilters(
  output: Pick<PrintedOutput, 'pipes' | 'stdout' | 'stderr'>,
  choice: Choice,
): readonly Filter[] {
  const { filters, otherwise } = choice;
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
  if (isUnknown) for (const filter of signedFilters(output, choice)) chosen.add(filter);
  if (chosen.size === 0 && !isRead && otherwise !== undefined) chosen.add(otherwise);
  // In their order, whatever the order of the programs.
  return [...filters, ...(otherwise === undefined ? [] : [otherwise])].filter((filter) => chosen.has(filter));
}

function signedFilters(
  { stdout, stderr }: Pick<PrintedOutput, 'stdout' | 'stderr'>,
  { filters, signature }: Choice,
): readonly Filter[] {
  const signed = [stdout, stderr].flatMap((text) =>
    screenLines(sampleOf(text)).filter((line) => signature.test(line)),
  );
  if (signed.length === 0) return [];
  return filters.filter((filter) => signed.some((line) => filter.signature?.test(line) === true));
}

/** Finds the lines that are the signature of any of the filters: most lines are none's. */
export function anySignature(filters: readonly Filter[]): RegExp {
  const sources = filters.flatMap(({ signature }) => (signature === undefined ? [] : [signature.source]));
  return new RegExp(sources.length === 0 ? '(?!)' : sources.join('|'));
}

/** Characters at the beginning and the end in which signatures are searched. */
const [HEAD, TAIL] = [16_384, 32_768] as const;

function sampleOf(text: string): string {
  return text.length <= HEAD + TAIL ? text : `${text.slice(0, HEAD)}\n${text.slice(-TAIL)}`;
}
