import { canonicalJson, type Call } from '@signalbox/core';
import { commandsOf } from '@signalbox/policy';
import { nameOfCall } from '../../judging/repeat-gate.ts';
import type { ScoredCall } from './score-utility.ts';
import { shinglesOf } from './shingles.ts';

/** What a call is compared by. @param line of a tool that takes a shell line; null for others */
export function scoredCallOf(call: Call, line: string | null): ScoredCall {
  const text = line ?? Object.values(call.args).map(textOf).join(' ');
  return { key: nameOfCall(call), program: programOf(call, line), words: shinglesOf(text) };
}

/** A chain counts as its first program and their number: a different chain is a different program. */
export function programOf({ tool }: Pick<Call, 'tool'>, line: string | null): string {
  if (line === null) return tool;
  const commands = commandsOf(line)?.commands ?? [];
  const programs = commands.map(({ program }) => program ?? '?');
  return programs.length === 0 ? tool : programs.slice(0, 8).join(' ');
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : canonicalJson(value);
}
