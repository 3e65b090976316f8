/** Begins every line of ours, which no filter leaves out or counts. */
const MARK = '[… ';
/** Ends a line that stands for several. */
const TIMES = /  ×\d{1,9}$/;

/** A line in place of others: `[… 1,204 lines left out]`. */
export function marker(text: string): string {
  return `${MARK}${text}]`;
}

export function isMarker(line: string): boolean {
  return line.startsWith(MARK);
}

/** Whether lines that may matter are missing there. */
export function isGap(line: string): boolean {
  return isMarker(line) && line.endsWith(' left out]');
}

/** The line with the number of lines that it stands for. */
export function withTimes(line: string, times: number): string {
  return `${line}  ×${times}`;
}

/** Whether a line stands for several already. */
export function hasTimes(line: string): boolean {
  return TIMES.test(line.slice(-13));
}

/** `1 line`, `1,204 lines`. */
export function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
}
