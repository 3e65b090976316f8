import { stripVTControlCharacters } from 'node:util';
import type { CheckReport } from '@signalbox/core';
import { createFindings, placeIn, type RawFinding } from './findings.ts';
import { runnerText } from './runner-text.ts';

const MAX_LINES = 200_000;
/** Characters of a line that are read. */
const MAX_LINE = 2000;
/** Lines between a failure's heading and its message. */
const MAX_BODY = 40;

const CARGO = /^test result: (?:ok|FAILED)\. (\d{1,9}) passed; (\d{1,9}) failed; (\d{1,9}) ignored;/;
const CARGO_FAILURE = /^---- (.{1,300}) stdout ----$/;
const GO_RESULT = /^ *--- (PASS|FAIL|SKIP): (\S{1,300}) \(\d/;
const GO_PACKAGE = /^(?:ok  |FAIL)\t(\S{1,300})(?:\t| \[(?:build|setup) failed\])/;

/** The results that runners of tests print for people. */
export function* testsInText(text: string): Iterable<CheckReport | null> {
  const lines = stripVTControlCharacters(text)
    .split('\n', MAX_LINES)
    .map((line) => line.slice(0, MAX_LINE).trimEnd());
  yield cargo(lines);
  yield go(lines);
  yield* runnerText(lines);
}

function cargo(lines: readonly string[]): CheckReport | null {
  const results = lines.flatMap((line) => {
    const [, ...numbers] = CARGO.exec(line) ?? [];
    return numbers.length === 0 ? [] : [numbers.map(Number)];
  });
  if (results.length === 0) return null;
  const findings = createFindings();
  for (const [at, line] of lines.entries()) {
    const name = CARGO_FAILURE.exec(line)?.[1];
    if (name === undefined) continue;
    const body = bodyAfter(at, lines, CARGO_FAILURE);
    const panic = body.findIndex((one) => one.includes(' panicked at '));
    // Since Rust 1.73 the message is on the next line.
    const message = (body[panic] ?? '').trimEnd().endsWith(':') ? body[panic + 1] : body[panic];
    findings.add({ name, message: message ?? body[0] ?? '', ...placeIn(body[panic] ?? '') });
  }
  const sum = (index: number): number => results.reduce((total, one) => total + (one[index] ?? 0), 0);
  return {
    kind: 'tests',
    source: 'output of cargo test',
    first: findings.first,
    passed: sum(0),
    failed: sum(1),
    skipped: sum(2),
  };
}

/** Without `-v` it names no test that passed. */
function go(lines: readonly string[]): CheckReport | null {
  if (!lines.some((line) => GO_PACKAGE.test(line))) return null;
  const findings = createFindings();
  const counts = { PASS: 0, FAIL: 0, SKIP: 0 };
  for (const [at, line] of lines.entries()) {
    const [, result, name = ''] = GO_RESULT.exec(line) ?? [];
    // A test with subtests ends with them, on the line after its own.
    const next = lines[at + 1] ?? '';
    const isGroup = GO_RESULT.test(next) && depthOf(next) > depthOf(line);
    if ((result === 'PASS' || result === 'FAIL' || result === 'SKIP') && !isGroup) {
      counts[result] += 1;
      if (result === 'FAIL') findings.add({ name, ...goFailure(at, lines) });
    }
    const [, broken, how] = /^FAIL\t(\S{1,300}) \[(build|setup) failed\]/.exec(line) ?? [];
    if (broken === undefined) continue;
    counts.FAIL += 1;
    findings.add({ name: broken, message: `${how} failed` });
  }
  return {
    kind: 'tests',
    source: 'output of go test',
    first: findings.first,
    passed: lines.some((line) => line.startsWith('=== RUN')) ? counts.PASS : null,
    failed: counts.FAIL,
    skipped: counts.SKIP,
  };
}

/** What it logged: below its result, and with `-v` above it. */
function goFailure(at: number, lines: readonly string[]): Pick<RawFinding, 'message' | 'path' | 'line'> {
  const after = lines.slice(at + 1, at + 1 + MAX_BODY);
  const before = lines.slice(Math.max(0, at - MAX_BODY), at).toReversed();
  const own = [
    ...after.slice(
      0,
      endOf(after, (line) => !/^\s/.test(line)),
    ),
    ...before.slice(
      0,
      endOf(before, (line) => line.startsWith('=== ')),
    ),
  ].find((line) => /^\s+[\w.-]{1,200}\.go:\d/.test(line));
  if (own === undefined) return { message: (after[0] ?? '').startsWith(' ') ? (after[0] ?? '') : '' };
  return { message: /\.go:\d{1,7}: (.*)/.exec(own)?.[1] ?? '', ...placeIn(own) };
}

function endOf(lines: readonly string[], isEnd: (line: string) => boolean): number {
  const end = lines.findIndex(isEnd);
  return end < 0 ? lines.length : end;
}

function bodyAfter(at: number, lines: readonly string[], heading: RegExp): readonly string[] {
  const body = lines.slice(at + 1, at + 1 + MAX_BODY);
  const end = body.findIndex((line) => heading.test(line));
  return (end < 0 ? body : body.slice(0, end)).filter((line) => /\S/.test(line));
}

function depthOf(line: string): number {
  return line.length - line.trimStart().length;
}
