import { counted, isMarker, marker } from './marker.ts';
import type { LineStep } from './line-step.ts';
import { isVital } from './vital-line.ts';

/** How many lines stay at both ends, and around each vital line between them. */
export type KeptEnds = { readonly head: number; readonly tail: number; readonly context: number };

/**
 * The first and the last lines, and between them only the vital ones with the lines around them. A line of ours says
 * how many are missing.
 */
export function cutMiddle({ head, tail, context }: KeptEnds): LineStep {
  return (lines) => {
    const end = lines.length - tail;
    if (end <= head) return lines;
    const middle = around(lines.slice(head, end), { isKept: isVital, context });
    return [...lines.slice(0, head), ...middle, ...lines.slice(end)];
  };
}

/** The lines that are kept, with `context` lines around each; the first gap says how many lines are missing. */
export function around(
  lines: readonly string[],
  { isKept, context }: Readonly<{ isKept: (line: string) => boolean; context: number }>,
): readonly string[] {
  const wanted = new Uint8Array(lines.length);
  let from = 0;
  for (const [at, line] of lines.entries()) {
    if (!isMarker(line) && !isKept(line)) continue;
    // Each position is marked once, so the work is linear in any context.
    from = Math.max(from, at - context);
    const end = Math.min(lines.length, at + (isMarker(line) ? 0 : context) + 1);
    if (end > from) wanted.fill(1, from, end);
    from = Math.max(from, end);
  }
  const missing = wanted.reduce((sum, one) => sum - one, lines.length);
  if (missing === 0) return lines;
  const first = wanted.indexOf(0);
  return lines.flatMap((line, at) => {
    if (at === first) return [marker(`${counted(missing, 'line')} left out`)];
    return wanted[at] === 1 ? [line] : [];
  });
}
