import { createHash, type Hash } from 'node:crypto';
import { basename } from 'node:path';
import { InvariantError } from '@signalbox/core';
import { GENESIS } from './audit-line.ts';
import { differences, type RecordedEnd } from './known-ending.ts';
import { openChain, type RawLine, rawLines } from './raw-lines.ts';
import { type ChainedLine, readLine } from './read-line.ts';

export type AuditProblem = {
  /** Name of the file: the log or one of its archives. */
  readonly file: string;
  /** Line number in that file, from 1. */
  readonly line: number;
  readonly kind:
    | 'foreign'
    | 'changed'
    | 'ambiguous'
    | 'missing-before'
    | 'twice'
    | 'differs'
    | 'none-of'
    | 'head-missing';
  readonly message: string;
};

export type AuditReport = {
  /** The files checked, oldest first. */
  readonly files: readonly string[];
  readonly lines: number;
  readonly commands: number;
  /** Lines truncated by a crash; the chain continues after them. */
  readonly torn: readonly number[];
  readonly problems: readonly AuditProblem[];
  /** Hash of the last line. Store it elsewhere to detect a truncated log too. */
  readonly head: string;
};

export type AuditKnowledge = {
  /** How commands ended according to the records, by id. Default: nothing is compared. */
  readonly endings?: ReadonlyMap<string, RecordedEnd>;
  /** Whether the log must have a line for each of them. Default true. */
  readonly isComplete?: boolean;
  /** A hash stored elsewhere: the chain must contain it. */
  readonly head?: string;
};

/**
 * Reads a whole audit log with its archives and checks its chain: no line changed, none missing inside, none ambiguous,
 * one per command. Lines are compared with the known endings of their commands, which also detects a truncated log and
 * one rewritten with new hashes. A missing log counts as one without lines.
 */
export async function verifyAudit(log: string, known: AuditKnowledge = {}): Promise<AuditReport> {
  const [report] = await verifyAudits([log], known);
  if (report === undefined) throw new InvariantError('Cannot verify an audit log: there is no report');
  return report;
}

/** The same for the logs of several coordinators: an expected line may be in any of them. */
export async function verifyAudits(
  logs: readonly string[],
  { endings = new Map(), isComplete = true, head }: AuditKnowledge,
): Promise<readonly AuditReport[]> {
  const all = { seen: new Set<string>(), heads: new Set([GENESIS]) };
  const reports: AuditReport[] = [];
  for (const [index, log] of logs.entries()) {
    const check = createCheck(endings, all);
    await using chain = await openChain(log);
    for (const [at, { file, opened }] of chain.files.entries()) {
      check.file(basename(file));
      for await (const raw of rawLines(opened)) check.line(raw, at === chain.files.length - 1);
    }
    const isLast = index === logs.length - 1;
    const report = check.end({
      expected: isLast && isComplete ? [...endings.keys()] : [],
      kept: isLast ? head : undefined,
    });
    reports.push({ files: chain.files.map(({ file }) => basename(file)), ...report });
  }
  return reports;
}

type Endings = ReadonlyMap<string, RecordedEnd>;
/** Collected over all logs so far. */
type All = { readonly seen: Set<string>; readonly heads: Set<string> };

function createCheck(endings: Endings, all: All) {
  const seen = new Set<string>();
  const torn: number[] = [];
  const problems: AuditProblem[] = [];
  let head = GENESIS;
  let file = '';
  let line = 0;
  let lines = 0;
  let gap: Gap | undefined;

  function problem(
    kind: AuditProblem['kind'],
    message: string,
    { at = line }: Readonly<{ at?: number }> = {},
  ): void {
    problems.push({ file, line: at, kind, message });
  }

  function foreign(at: number): void {
    problem('foreign', `line ${at} is not a line of the audit log`, { at });
  }

  /** Lines between two of the chain count as truncated only if the next line, or an earlier version, confirms them. */
  function closeGap(next: ChainedLine | undefined, isAllowed: boolean): void {
    const isVouched = next?.torn_before !== undefined && next.torn_before === gap?.hash.digest('hex');
    if (gap === undefined) {
      if (next?.torn_before !== undefined)
        problem('missing-before', `before line ${line}, what a crash had left was removed`);
      return;
    }
    if (isVouched || isAllowed) torn.push(...gap.lines);
    else for (const at of gap.lines) foreign(at);
    gap = undefined;
  }

  function chained(of: ChainedLine, kind: 'whole' | 'changed' | 'ambiguous'): void {
    const { command_id: id, prev, hash } = of;
    if (kind === 'changed') problem('changed', `line ${line} was changed after it was written`);
    else if (kind === 'ambiguous')
      problem('ambiguous', `line ${line} has a duplicate key, or is not in the form Signalbox writes`);
    else if (prev !== head) problem('missing-before', `before line ${line} a line is missing or changed`);
    if (seen.has(id)) problem('twice', `line ${line} is a second line of ${id}`);
    seen.add(id);
    const known = endings.get(id);
    const differing = known === undefined ? [] : differences(of, known);
    if (differing.length > 0)
      problem('differs', `line ${line} of ${id} differs from the records: ${differing.join('; ')}`);
    head = hash;
    all.seen.add(id);
    all.heads.add(hash);
  }

  return {
    file(name: string): void {
      file = name;
      line = 0;
    },
    line({ bytes, isClosed }: RawLine, isLastFile: boolean): void {
      line += 1;
      lines += 1;
      const read = readLine(bytes);
      if (read.kind === 'foreign') {
        closeGap(undefined, false);
        foreign(line);
      } else if (read.kind === 'torn') {
        gap ??= { hash: createHash('sha256'), lines: [], isEnd: false };
        gap.lines.push(line);
        gap.isEnd = !isClosed && isLastFile;
      } else {
        closeGap(read.line, read.kind === 'whole' && read.isOld);
        chained(read.line, read.kind);
      }
      gap?.hash.update(bytes).update(isClosed ? '\n' : '');
    },
    end({ expected, kept }: { expected: readonly string[]; kept: string | undefined }) {
      closeGap(undefined, gap?.isEnd === true);
      for (const id of expected)
        if (!all.seen.has(id)) problem('none-of', `there is no line for ${id}, which has finished`);
      if (kept !== undefined && !all.heads.has(kept))
        problem('head-missing', `no line has the hash ${kept}: the log was cut off or rewritten since`);
      return { lines, commands: seen.size, torn, problems, head };
    },
  };
}

type Gap = { readonly hash: Hash; readonly lines: number[]; isEnd: boolean };
