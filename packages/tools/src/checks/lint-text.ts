import { stripVTControlCharacters } from 'node:util';
import type { CheckReport } from '@signalbox/core';
import { type ReportedFinding, lintReport, severityOf } from './lint-report.ts';

const MAX_LINES = 200_000;
/** Longer lines are no findings. */
const MAX_LINE = 2000;

/** A message above its place, or a file above its messages. */
type State = {
  file: string | null;
  pending: Omit<ReportedFinding, 'path' | 'line'> | null;
  heading: ReportedFinding | null;
};

/** `src/a.ts(3,5): error TS2322: Type …`, and with `--pretty` `src/a.ts:3:5 - error TS2322: …`. */
const TSC =
  /^([^\s(:][^(:]{0,300}?)(?:\((\d{1,7}),\d{1,7}\): |:(\d{1,7}):\d{1,7} - )(error|warning) (TS\d{1,6}): (.*)/;
/** `src/a.py:3:5: E501 Line too long`, `a.go:3:5: message (linter)`, `a.py:3: error: message  [code]`. */
const GNU =
  /^([^\s:()]{1,300}\.[A-Za-z]\w{0,7}):(\d{1,7})(?::\d{1,7})?: (?:(fatal error|error|warning|note|info)(?:\[[^\]]{0,60}\])?: )?(.*)/;
/** `  12:5  error  'x' is not defined  no-undef`, below the name of the file. */
const STYLISH = /^ +(\d{1,7}):\d{1,7} {2,}(error|warning) {2,}(.*)/;
const FILE = /^(?:[A-Z]:)?[\w./@+-][^:]{0,500}\.[A-Za-z]\w{0,7}$/;
/** rustc, deno and ruff: the place is below the message. */
const ABOVE = /^(?:(error|warning)(?:\[([\w:-]{1,80})\])?: (.*)|([A-Z]{1,5}\d{1,5}) (?:\[\*\] )?(.*))/;
const BELOW = /^ *--> (?:file:\/\/)?([^\s:]{1,500}):(\d{1,7})/;
/** biome: the message is below the place. */
const HEADING =
  /^([^\s:]{1,300}):(\d{1,7}):\d{1,7} ((?:lint|format|parse|assist|syntax|suppressions)[\w/]{0,100}) /;
const BELOW_HEADING = /^ {1,4}([×✖!⚠i]) (.*)/;
/** oxlint: the message, then the place in a drawing. */
const OXLINT = /^ {1,4}([×✖⚠!]) ((?:[\w-]{1,40})\(([\w/-]{1,80})\): )?(.*)/;
const DRAWN = /^ *[╭,][─-]\[([^\s:\]]{1,300}):(\d{1,7}):/;

/** What linters and type checkers print for people; null when no line is a finding. */
export function findingsInText(text: string): CheckReport | null {
  const found: ReportedFinding[] = [];
  const state: State = { file: null, pending: null, heading: null };
  for (const raw of text.split('\n', MAX_LINES)) {
    if (raw.length > MAX_LINE) continue;
    const one = findingIn(stripVTControlCharacters(raw).trimEnd(), state);
    if (one !== null) found.push(one);
  }
  return found.length === 0 ? null : lintReport('output of the linter', found);
}

function findingIn(line: string, state: State): ReportedFinding | null {
  return onOneLine(line) ?? belowFile(line, state) ?? belowMessage(line, state) ?? belowHeading(line, state);
}

function onOneLine(line: string): ReportedFinding | null {
  const tsc = TSC.exec(line);
  if (tsc !== null) {
    const [, path, line1, line2, severity, name = '', message = ''] = tsc;
    return { name, message, severity: severityOf(severity), path, line: Number(line1 ?? line2) };
  }
  const [, path, number, severity, rest = ''] = GNU.exec(line) ?? [];
  if (path === undefined) return null;
  const { name, message } = ruleIn(rest);
  return { name, message, severity: severityOf(severity), path, line: Number(number) };
}

/** Where linters put the rule: `E501 text`, `text [code]`, `text (linter)`. */
function ruleIn(text: string): { name: string; message: string } {
  const first = /^([A-Z]{1,5}\d{1,5}) (?:\[\*\] )?(.*)/.exec(text);
  if (first !== null) return { name: first[1] ?? '', message: first[2] ?? '' };
  const close = text.at(-1);
  const open = close === ']' ? text.lastIndexOf('[') : close === ')' ? text.lastIndexOf('(') : -1;
  const rule = open < 0 ? '' : text.slice(open + 1, -1);
  if (!/^[\w/-]{1,80}$/.test(rule)) return { name: '', message: text };
  return { name: rule, message: text.slice(0, open).trimEnd() };
}

function belowFile(line: string, state: State): ReportedFinding | null {
  if (FILE.test(line)) state.file = line;
  const [, number, severity, rest = ''] = STYLISH.exec(line) ?? [];
  if (number === undefined || state.file === null) return null;
  const gap = rest.lastIndexOf('  ');
  const [message, name] = gap < 0 ? [rest, ''] : [rest.slice(0, gap).trimEnd(), rest.slice(gap + 2)];
  return { name, message, severity: severityOf(severity), path: state.file, line: Number(number) };
}

function belowMessage(line: string, state: State): ReportedFinding | null {
  const [, path, number] = BELOW.exec(line) ?? DRAWN.exec(line) ?? [];
  if (path !== undefined) {
    const { pending } = state;
    state.pending = null;
    return pending === null ? null : { ...pending, path, line: Number(number) };
  }
  const above = ABOVE.exec(line);
  if (above !== null) {
    const [, severity, code, message, rule, text] = above;
    state.pending = {
      name: code ?? rule ?? '',
      message: message ?? text ?? '',
      severity: severityOf(severity),
    };
  }
  return null;
}

function belowHeading(line: string, state: State): ReportedFinding | null {
  const [, path, number, name] = HEADING.exec(line) ?? [];
  if (path !== undefined) {
    state.heading = { name: name ?? '', message: '', severity: 'error', path, line: Number(number) };
    return null;
  }
  const { heading } = state;
  const [, mark = '', message = ''] = BELOW_HEADING.exec(line) ?? [];
  if (heading !== null && mark !== '') {
    state.heading = null;
    return { ...heading, message, severity: severityOfMark(mark) };
  }
  const drawn = OXLINT.exec(line);
  if (drawn !== null)
    state.pending = {
      name: drawn[3] ?? '',
      message: drawn[4] ?? '',
      severity: severityOfMark(drawn[1] ?? ''),
    };
  return null;
}

function severityOfMark(mark: string): ReportedFinding['severity'] {
  if (mark === 'i') return 'note';
  return mark === '!' || mark === '⚠' ? 'warning' : 'error';
}
