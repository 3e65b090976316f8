import { counted, isMarker, marker } from './marker.ts';
import type { LineStep } from './line-step.ts';
import { isVital } from './vital-line.ts';

/** Whether a line is noise; it sees all lines of a stream in order, and may remember them. */
export type NoiseTest = (line: string) => boolean;

/** Leaves out lines that a program is known to print only to show that it is working, or that all is well. */
export function without(create: () => NoiseTest): LineStep {
  return (lines) => {
    const isNoise = create();
    return lines.filter((line) => isMarker(line) || !isNoise(line));
  };
}

/** The same for work that may also go wrong in a line of this form: `Building wheel for x: finished with status 'error'`. */
export function withoutSteps(isStep: NoiseTest): LineStep {
  return without(() => (line) => isStep(line) && !isVital(line));
}

/** The same for lines of which the number counts: `[… 41 packages passed]` is in place of the last of them. */
export function withoutCounted(
  isNoise: (line: string) => boolean,
  { noun, what }: Readonly<{ noun: string; what: string }>,
): LineStep {
  return (lines) => {
    const last = lines.findLastIndex(isNoise);
    if (last < 0) return lines;
    const count = lines.reduce((sum, line) => sum + (isNoise(line) ? 1 : 0), 0);
    return lines.flatMap((line, at) => {
      if (at === last) return [marker(`${counted(count, noun)} ${what}`)];
      return isNoise(line) ? [] : [line];
    });
  };
}

/** Shortest ruler that is shortened, and what remains of it. */
const [LONG_RULER, SHORT_RULER] = [8, 3] as const;
const RULERS = new Set('=-_⎯─━*#');

/** `======== FAILURES ========` becomes `=== FAILURES ===`. */
export const shortRulers: LineStep = (lines) => lines.map(shortRuler);

function shortRuler(line: string): string {
  const [first = ''] = line;
  if (!RULERS.has(first)) return line;
  let start = 0;
  while (line[start] === first) start += 1;
  if (start < LONG_RULER) return line;
  let end = line.length;
  while (end > start && line[end - 1] === first) end -= 1;
  const ruler = first.repeat(SHORT_RULER);
  return `${ruler}${line.slice(start, end)}${end < line.length ? ruler : ''}`;
}
