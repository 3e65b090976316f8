import type { CheckReport } from '@signalbox/core';
import { createFindings, placeIn, plainText, type RawFinding, toCount } from './findings.ts';

/** Lines between a failure's heading and its message and place. */
const MAX_BODY = 60;

type Runner = {
  readonly source: string;
  /** Matches a line with counts: `Tests  1 failed | 2 passed`; the last ones of an output count. */
  readonly summary: RegExp;
  /** Matches the line that names a failed test, first group. */
  readonly failure: RegExp;
  /** Whether the failures before this line are repeated after it. */
  readonly restart?: RegExp;
  readonly find?: (at: number, lines: readonly string[]) => Partial<RawFinding>;
};

const RUNNERS: readonly Runner[] = [
  { source: 'output of vitest', summary: /^ {1,8}Tests {1,4}\d/, failure: /^ FAIL {1,4}(\S.*)/ },
  {
    source: 'output of jest',
    summary: /^Tests: {1,8}\d/,
    failure: /^ {2}● (\S.*)/,
    restart: /^Summary of all failing tests/,
  },
  {
    source: 'output of pytest',
    summary: /^(?:=+ )?\d{1,9} (?:passed|failed|errors?|skipped)\b.* in \d/,
    failure: /^(?:FAILED|ERROR) (\S+\.py(?:::\S.*)?)/,
    find: ofPytest,
  },
  {
    source: 'output of Node.js',
    summary: /^ℹ (?:pass|fail|skipped|todo) \d/,
    failure: /^test at (\S.*)/,
    find: (at, lines) => ({
      ...placeIn(lines[at] ?? ''),
      name: (lines[at + 1] ?? '').replace(/^✖ /, '').replace(/ \([\d.]{1,20}ms\)$/, ''),
      message: lines[at + 2] ?? '',
    }),
  },
  {
    source: 'output of mocha',
    summary: /^ {2}\d{1,9} (?:passing|failing|pending)\b/,
    failure: /^ {2}\d{1,6}\) (\S.*)/,
    find: (at, lines) => {
      const end = lines.slice(at + 1, at + 8).findIndex((line) => line.endsWith(':'));
      const titles = lines.slice(at, at + end + 2).map((line) => line.trim());
      return {
        name: titles
          .join(' ')
          .replace(/^\d+\) /, '')
          .replace(/:$/, ''),
        ...below(at + end + 1, lines),
      };
    },
  },
];

/** The counts by which the runners call them. */
const WORDS = {
  failed: /(?<!\w)(\d{1,9}) (?:failed|failing|errors?)\b|\bfail (\d{1,9})/,
  passed: /(?<!\w)(\d{1,9}) (?:passed|passing)\b|\bpass (\d{1,9})/,
  skipped: /(?<!\w)(\d{1,9}) (?:skipped|pending|todo)\b|\b(?:skipped|todo) (\d{1,9})/,
} as const;

/** Summaries at the end of an output that count: earlier ones are those of programs that tests have run. */
const MAX_SUMMARIES = 6;

/** What vitest, jest, pytest, Node.js and mocha print for people: by the last summaries, then by all of them. */
export function* runnerText(lines: readonly string[]): Iterable<CheckReport> {
  for (const runner of RUNNERS) {
    const summaries = lines.filter((line) => runner.summary.test(line));
    if (summaries.length > 0) yield reportOf(runner, { lines, summaries: summaries.slice(-MAX_SUMMARIES) });
    if (summaries.length > MAX_SUMMARIES) yield reportOf(runner, { lines, summaries });
  }
}

function reportOf(
  { source, failure, restart, find = below }: Runner,
  { lines, summaries }: Readonly<{ lines: readonly string[]; summaries: readonly string[] }>,
): CheckReport {
  const findings = createFindings();
  const end = restart === undefined ? -1 : lines.findIndex((line) => restart.test(line));
  for (const [at, line] of (end < 0 ? lines : lines.slice(0, end)).entries()) {
    const name = failure.exec(line)?.[1];
    // Looking up details takes time in proportion to the output, so only for those that are listed.
    if (name !== undefined && !findings.isFull()) findings.add({ name, message: '', ...find(at, lines) });
  }
  const count = (word: RegExp): number =>
    summaries.reduce((sum, line) => {
      const [, before, after] = word.exec(line) ?? [];
      return sum + Number(before ?? after ?? 0);
    }, 0);
  return {
    kind: 'tests',
    source,
    first: findings.first,
    passed: toCount(count(WORDS.passed)),
    failed: toCount(count(WORDS.failed)),
    skipped: toCount(count(WORDS.skipped)),
  };
}

/** The first line below that has text, and the first place in a file that is no program's own. */
function below(at: number, lines: readonly string[]): Partial<RawFinding> {
  const body = lines.slice(at + 1, at + 1 + MAX_BODY).filter((line) => /\S/.test(line));
  const place = body
    .filter((line) => /^\s+(?:❯|at )/.test(line) && !/node:|node_modules/.test(line))
    .map((line) => placeIn(line))
    .find(({ path }) => path != null);
  return { message: body[0] ?? '', ...place };
}

/** `FAILED tests/test_cart.py::test_adds - assert 3 == 4`; its line is in the section of its name. */
function ofPytest(at: number, lines: readonly string[]): Partial<RawFinding> {
  const text = plainText(lines[at] ?? '').replace(/^(?:FAILED|ERROR) /, '');
  const gap = text.indexOf(' - ');
  const name = gap < 0 ? text : text.slice(0, gap);
  const [path = '', ...titles] = name.split('::');
  const heading = titles.length === 0 ? '' : ` ${titles.join('.')} `;
  const start =
    heading === '' ? -1 : lines.findIndex((line) => /^_{2,}/.test(line) && line.includes(heading));
  const place =
    start < 0 ? undefined : lines.slice(start, start + 200).find((line) => line.startsWith(`${path}:`));
  const line = place === undefined ? undefined : /^:(\d{1,7}): /.exec(place.slice(path.length))?.[1];
  return {
    name,
    path,
    message: gap < 0 ? '' : text.slice(gap + 3),
    ...(line === undefined ? {} : { line: Number(line) }),
  };
}
