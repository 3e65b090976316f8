import { canonicalJson, type CommandRecord, type Json } from '@signalbox/core';
import type { ChainedLine } from './read-line.ts';
import { hashOutputs, OutputHashes } from './output-hashes.ts';
import { sha256 } from './sha256.ts';

/** How a command ended according to its record, as far as its audit line has the same facts. */
export type RecordedEnd = {
  /** Hash over tool and redacted arguments. */
  readonly call: string;
  readonly result: string;
  readonly approvedBy: string | null;
  readonly approvedOver: string | null;
  readonly outputs: OutputHashes;
};

/** Null for a command that has not ended. */
export function knownEnding({ call, result, approval, approvedAt }: CommandRecord): RecordedEnd | null {
  if (result === null) return null;
  const person = approval?.status === 'granted' ? approval.by : null;
  return {
    call: hashOfCall(call.tool, call.args),
    result: result.outcome.kind,
    approvedBy: person?.name ?? (approvedAt === null ? null : 'auto'),
    approvedOver: person?.channel ?? null,
    outputs: hashOutputs(result),
  };
}

/** The fields in which a command's line differs from its record; empty if they agree. */
export function differences(line: ChainedLine, known: RecordedEnd): readonly string[] {
  const { tool, call, result, approved_by: by, approved_over: over } = line;
  const differing: string[] = [];
  if (hashOfCall(tool, call as Json) !== known.call) differing.push('another call');
  if (result !== known.result) differing.push(`${JSON.stringify(result)}, not "${known.result}"`);
  if (by !== known.approvedBy || over !== known.approvedOver)
    differing.push(`approved by ${nameOf(by, over)}, not ${nameOf(known.approvedBy, known.approvedOver)}`);
  const { data: outputs } = OutputHashes.safeParse(line['outputs']);
  for (const stream of ['stdout', 'stderr', 'output'] as const) {
    const kept = known.outputs[stream];
    // If a crash ended the command between audit and record, the record has no output.
    if (outputs !== undefined && kept !== null && outputs[stream]?.sha256 !== kept.sha256)
      differing.push(`another ${stream}`);
  }
  return differing;
}

function hashOfCall(tool: unknown, args: Json): string {
  return sha256(canonicalJson([tool, args]));
}

function nameOf(by: unknown, over: unknown): string {
  const name = by === null ? 'nobody' : JSON.stringify(by);
  return over === null ? name : `${name} over ${JSON.stringify(over)}`;
}
