import { createHash } from 'node:crypto';
import { canonicalJson } from '@signalbox/core';
import * as z from 'zod';
import { HASH_KEY, PROTO_KEY } from './audit-line.ts';
import { sha256 } from './sha256.ts';
import { isTornLine } from './torn-line.ts';

/** The fields of a line that make up the chain. */
export const ChainedLine = z.looseObject({
  command_id: z.string(),
  prev: z.string(),
  hash: z.string(),
  torn_before: z.string().optional(),
});
export type ChainedLine = z.infer<typeof ChainedLine>;

export type ReadLine =
  /** `isOld`: its hash is that of an earlier version, computed over its values. */
  | { readonly kind: 'whole'; readonly line: ChainedLine; readonly isOld: boolean }
  | { readonly kind: 'changed'; readonly line: ChainedLine }
  /** Different JSON parsers would read it differently. */
  | { readonly kind: 'ambiguous'; readonly line: ChainedLine }
  | { readonly kind: 'torn' }
  | { readonly kind: 'foreign' };

const TAIL_LENGTH = HASH_KEY.length + 64 + '"}'.length;

/** Parses one line of the audit log, without its newline, and checks its hash. */
export function readLine(bytes: Buffer): ReadLine {
  const text = bytes.toString('utf8');
  const json = parse(text);
  const line = ChainedLine.safeParse(json).data;
  if (line === undefined)
    return json === undefined && isTornLine(bytes) ? { kind: 'torn' } : { kind: 'foreign' };
  // Ours are written by JSON.stringify: a duplicate key, other spaces or escapes do not survive a round trip.
  const isOurs = Buffer.from(JSON.stringify(json)).equals(bytes) && text.search(PROTO_KEY) < 0;
  if (!isOurs) return { kind: 'ambiguous', line };
  const end = bytes.length - TAIL_LENGTH;
  const isRaw = end > 0 && bytes.subarray(end).toString('latin1') === `${HASH_KEY}${line.hash}"}`;
  if (isRaw && sha256(bytes.subarray(0, end)) === line.hash) return { kind: 'whole', line, isOld: false };
  return oldHashOf(line) === line.hash ? { kind: 'whole', line, isOld: true } : { kind: 'changed', line };
}

/** The hash of earlier versions: over the values of the entry, in any key order. */
function oldHashOf({ prev, hash: _hash, ...entry }: ChainedLine): string {
  return createHash('sha256').update(prev).update('\n').update(canonicalJson(entry)).digest('hex');
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
