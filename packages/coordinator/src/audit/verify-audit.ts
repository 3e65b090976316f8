import { createReadStream, existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import * as z from 'zod';
import { GENESIS, hashOf } from './audit-line.ts';

export type AuditProblem = {
  /** Counted from 1. */
  readonly line: number;
  readonly kind: 'not-json' | 'changed' | 'missing-before' | 'twice' | 'none-of';
  readonly message: string;
};

export type AuditReport = {
  readonly lines: number;
  readonly commands: number;
  /** Lines cut off by a crash while they were written; the chain goes on after them. */
  readonly torn: readonly number[];
  readonly problems: readonly AuditProblem[];
  /** Of the last line: keep it elsewhere, and a cut-off end is noticed too. */
  readonly head: string;
};

const Chained = z.looseObject({ command_id: z.string(), prev: z.string(), hash: z.string() });

/**
 * Reads a whole audit log and checks its chain: no line changed, none missing inside, one for each command. Of each
 * command that is known to have `ended` a line must tell: so an end that was cut off is noticed as well, and a log that
 * is gone, which counts as one without lines.
 */
export async function verifyAudit(file: string, ended: readonly string[] = []): Promise<AuditReport> {
  const seen = new Set<string>();
  const torn: number[] = [];
  const problems: AuditProblem[] = [];
  let head = GENESIS;
  let number = 0;
  const lines = createInterface({
    input: existsSync(file) ? createReadStream(file, 'utf8') : Readable.from([]),
    crlfDelay: Number.POSITIVE_INFINITY,
  });
  for await (const text of lines) {
    number += 1;
    const line = parse(text);
    if (line === undefined) {
      torn.push(number);
      continue;
    }
    const { prev, hash, ...entry } = line;
    if (hashOf(entry, prev) !== hash) {
      problems.push({
        line: number,
        kind: 'changed',
        message: `line ${number} was changed after it was written`,
      });
    } else if (prev !== head) {
      problems.push({
        line: number,
        kind: 'missing-before',
        message: `before line ${number} a line is missing or changed`,
      });
    }
    if (seen.has(line.command_id)) {
      problems.push({
        line: number,
        kind: 'twice',
        message: `line ${number} is a second line of ${line.command_id}`,
      });
    }
    seen.add(line.command_id);
    head = hash;
  }
  for (const id of ended.filter((known) => !seen.has(known))) {
    problems.push({ line: number, kind: 'none-of', message: `no line tells of ${id}, which has ended` });
  }
  return { lines: number, commands: seen.size, torn, problems, head };
}

function parse(text: string): z.infer<typeof Chained> | undefined {
  try {
    return Chained.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
