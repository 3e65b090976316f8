import type { Reason } from '@signalbox/core';
import { parse, type ParsedScript } from 'unbash';
import { GUARDS, isUnanalysable } from './guards.ts';

/** The tree of a line, if there is one worth judging, and the floors that the guards set. */
export type Parsed = Readonly<{ script: ParsedScript | undefined; reasons: readonly Reason[] }>;

/** Parses behind the guards. Never throws. */
export function parseLine(line: string): Parsed {
  const reasons: Reason[] = [];
  for (const { code, text, level, fires } of GUARDS) {
    if (fires(line)) reasons.push({ level, code, text });
    // What is too long is not searched by the other guards.
    if (isUnanalysable(reasons)) return { script: undefined, reasons };
  }
  try {
    return { script: parse(line), reasons };
  } catch {
    return { script: undefined, reasons: [...reasons, UNPARSEABLE] };
  }
}

const UNPARSEABLE: Reason = { level: 'dangerous', code: 'unparseable', text: "can't be parsed" };
