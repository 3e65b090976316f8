import type { CheckReport } from '@signalbox/core';
import { createFindings, placeIn } from './findings.ts';

const MAX_LINES = 200_000;
/** `    not ok 3 - adds # SKIP later` */
const RESULT = /^( *)(not )?ok\b(?: \d{1,9})?(?: - | |$)(.*)/;
const DIRECTIVE = / # (SKIP|TODO)\b/i;
/** Of the details below a failed test. */
const MAX_DETAILS = 60;

/**
 * The results in TAP, of Node.js, tap, bats or prove; null when there are none. Of nested tests the innermost count: a
 * group is the summary of what is in it.
 */
export function tapResults(text: string): CheckReport | null {
  if (!/^ *(?:not )?ok \d/m.test(text) || !/^(?:TAP version \d| *\d+\.\.\d)/m.test(text)) return null;
  const lines = text.split('\n', MAX_LINES);
  const findings = createFindings();
  const counts = { passed: 0, failed: 0, skipped: 0 };
  /** Groups that have not ended, the innermost last: a result after a deeper one is that of its group. */
  const open: Groups = [];
  for (const [at, line] of lines.entries()) {
    const [, indent = '', not, rest = ''] = RESULT.exec(line) ?? [];
    if (!RESULT.test(line)) continue;
    const inner = endGroups(open, indent.length);
    const isAside = DIRECTIVE.test(rest);
    const hasFailed = not !== undefined && !isAside;
    noteResult(open, { indent: indent.length, hasFailed: hasFailed || inner === 'failed' });
    // A group that failed without a failure in it failed by itself, or what is in it was only printed by a test.
    if (inner !== 'none' && (!hasFailed || inner === 'failed')) continue;
    if (isAside) counts.skipped += 1;
    else if (not === undefined) counts.passed += 1;
    else {
      counts.failed += 1;
      findings.add({ name: rest, ...detailsOf(lines.slice(at + 1, at + 1 + MAX_DETAILS)) });
    }
  }
  return { kind: 'tests', source: 'TAP', first: findings.first, ...counts };
}

type Groups = { readonly indent: number; hasFailed: boolean }[];

/** Ends the groups that are deeper than a result. */
function endGroups(open: Groups, indent: number): 'none' | 'passed' | 'failed' {
  const from = open.findIndex((one) => one.indent > indent);
  if (from < 0) return 'none';
  return open.splice(from).some(({ hasFailed }) => hasFailed) ? 'failed' : 'passed';
}

function noteResult(open: Groups, result: { readonly indent: number; hasFailed: boolean }): void {
  const last = open.at(-1);
  if (last?.indent === result.indent) last.hasFailed ||= result.hasFailed;
  else open.push(result);
}

/** The error and its place from the YAML below a result, or from the comments below it. */
function detailsOf(lines: readonly string[]): { message: string; path?: string; line?: number } {
  const end = lines.findIndex((line) => RESULT.test(line) || /^ *\.\.\.$/.test(line));
  const own = end < 0 ? lines : lines.slice(0, end);
  const at = own.findIndex((line) => /^ *(?:error|message): /.test(line));
  const given = /^ *\w+: (.*)$/.exec(own[at] ?? '')?.[1] ?? '';
  // A block scalar has its text below.
  const message = /^[|>][-+]?$/.test(given) ? (own[at + 1] ?? '') : given.replace(/^'(.*)'$/, '$1');
  const location =
    own.find((line) => /^ *location: /.test(line)) ?? own.find((line) => /:\d+:\d+\)?$/.test(line));
  const { path, line } = placeIn(location ?? '');
  return { message, ...(path == null ? {} : { path }), ...(line == null ? {} : { line }) };
}
