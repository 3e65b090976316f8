import type { Reason } from '@signalbox/core';
import { parse, type ParsedScript } from 'unbash';
import { GUARDS, isUnanalysable, MAX_LINE_LENGTH } from './guards.ts';

/** The tree of a line, if it can be judged, and the minimum levels of the guards. */
export type ParsedLine = Readonly<{ script: ParsedScript | undefined; reasons: readonly Reason[] }>;

/** Lines that are kept parsed: one is asked for by several judges, and again when its command may start. */
const KEPT = 16;
const kept = new Map<string, ParsedLine>();

/** Parses behind the guards. Never throws. */
export function parseLine(line: string): ParsedLine {
  const known = kept.get(line);
  if (known !== undefined) return known;
  const parsed = parseNow(line);
  if (line.length > MAX_LINE_LENGTH) return parsed;
  kept.set(line, parsed);
  for (const oldest of kept.keys()) {
    if (kept.size <= KEPT) break;
    kept.delete(oldest);
  }
  return parsed;
}

function parseNow(line: string): ParsedLine {
  const reasons: Reason[] = [];
  for (const { code, text, level, fires } of GUARDS) {
    if (fires(line)) reasons.push({ level, code, text });
    // A line that is too long is not searched by the other guards.
    if (isUnanalysable(reasons)) return { script: undefined, reasons };
  }
  try {
    return { script: parse(line), reasons };
  } catch {
    return { script: undefined, reasons: [...reasons, UNPARSEABLE] };
  }
}

const UNPARSEABLE: Reason = { level: 'dangerous', code: 'unparseable', text: "can't be parsed" };
