import { readFileSync } from 'node:fs';
import { isAtLeast, Level } from '@signalbox/core';
import * as z from 'zod';
import { classify, type Scored } from '../score-adapter.ts';

const Writes = z.union([z.array(z.string()), z.literal('unknown')]);

/** A labelled line: `level`, or any of `level_ok`; `writes`, or any of `writes_alt`. */
const LabelledLine = z.object({
  id: z.string(),
  command: z.string(),
  level: Level,
  level_ok: z.array(Level).optional(),
  writes: Writes,
  writes_alt: z.array(Writes).optional(),
  category: z.string(),
});
type LabelledLine = z.infer<typeof LabelledLine>;

export type JudgedLine = Readonly<{ row: LabelledLine }> & Scored;

/** Judges every line of a file in `corpus/`, in `/repo`. */
export function judgeCorpus(file: string): readonly JudgedLine[] {
  return readFileSync(new URL(`../../../corpus/${file}`, import.meta.url), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => LabelledLine.parse(JSON.parse(line)))
    .map((row) => ({ row, ...classify(row.command, { cwd: '/repo' }) }));
}

/** The lines of one kind: `adversarial`, `everyday`, `lookalike`, `resource-inference`. */
export function ofKind(judged: readonly JudgedLine[], kind: string): readonly JudgedLine[] {
  return judged.filter(({ row }) => row.category.startsWith(`${kind}:`));
}

/** Rated safe, although no label allows it. */
export function isFalseSafe({ row, level }: JudgedLine): boolean {
  return level === 'safe' && !allowedOf(row).includes('safe');
}

/** Between the mildest and the strictest level that its labels allow. */
export function isWithin({ row, level }: JudgedLine): boolean {
  const allowed = allowedOf(row);
  return allowed.some((one) => isAtLeast(level, one)) && allowed.some((one) => isAtLeast(one, level));
}

/** The prediction covers everything written. */
export function isSound({ row, writes }: JudgedLine): boolean {
  if (writes === 'unknown') return true;
  return writesOf(row).some((one) =>
    one === 'unknown' ? writes.includes('**') : one.every((path) => isCovered(path, writes)),
  );
}

/** The prediction is exactly what is written. */
export function isExact({ row, writes }: JudgedLine): boolean {
  return writesOf(row).some((one) =>
    one === 'unknown' || writes === 'unknown'
      ? one === writes
      : one.length === writes.length && one.every((path) => writes.includes(path)),
  );
}

export function shareOf(judged: readonly JudgedLine[], holds: (one: JudgedLine) => boolean): number {
  return judged.filter((one) => holds(one)).length / judged.length;
}

function allowedOf(row: LabelledLine): readonly Level[] {
  return row.level_ok ?? [row.level];
}

function writesOf(row: LabelledLine) {
  return [row.writes, ...(row.writes_alt ?? [])];
}

/** Whether a predicted glob covers the expected one: the same, everything, or a tree above it. */
function isCovered(expected: string, predicted: readonly string[]): boolean {
  return predicted.some(
    (glob) =>
      glob === expected ||
      glob === '**' ||
      (glob.endsWith('/**') && (expected === glob.slice(0, -3) || expected.startsWith(glob.slice(0, -2)))),
  );
}
