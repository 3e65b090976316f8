import type { CheckReport } from '@signalbox/core';
import sax from 'sax';
import { createFindings, placeIn, toCount } from './findings.ts';

/** Of one failure's text. */
const MAX_TEXT = 8000;
/** Nested deeper is no report of tests. */
const MAX_DEPTH = 64;

/** Characters given to the parser at once. */
const PIECE = 65_536;

type State = {
  /** Tests whose tag is open, the innermost last. */
  readonly open: Case[];
  /** Failures and errors by the attributes of the root, and of the suites in it. */
  declared: { root: number; suites: number };
  isInResult: boolean;
  depth: number;
  isWhole: boolean;
};

type Case = {
  name: string;
  readonly file: string | undefined;
  readonly line: number | undefined;
  /** A failure of a suite, outside of its tests. */
  readonly isSuite: boolean;
  result: 'passed' | 'failed' | 'skipped';
  /** Of node:test: its failure is expected, and the run passes. */
  isTodo: boolean;
  message: string;
  text: string;
};

/**
 * The results in JUnit XML, as pytest, cargo-nextest, gradle, maven and others write it; null when the text is none, is
 * torn, or is nested too deeply. The parser is a stream without a tree: it reads no document type, no entity of a
 * document and no other file.
 */
export function junitResults(text: string): CheckReport | null {
  const start = text.search(/<testsuites?[\s>]/);
  if (start < 0) return null;
  const findings = createFindings();
  const counts = { passed: 0, failed: 0, skipped: 0 };
  const state: State = {
    open: [],
    declared: { root: 0, suites: 0 },
    isInResult: false,
    depth: 0,
    isWhole: false,
  };
  let declared = 0;
  const onText = (piece: string): void => {
    const { isInResult, open } = state;
    const current = open.at(-1);
    if (isInResult && current !== undefined && current.text.length < MAX_TEXT)
      current.text += piece.slice(0, MAX_TEXT);
  };
  const parser = Object.assign(sax.parser(true, { trim: false }), {
    onerror: (error: Error) => {
      throw error;
    },
    onopentag: (tag: sax.Tag | sax.QualifiedTag) => openTag(tag, state),
    ontext: onText,
    oncdata: onText,
    onclosetag(name: string) {
      const ended = closeTag(localName(name), state);
      if (state.depth === 0) declared += Math.max(state.declared.root, state.declared.suites);
      if (ended === undefined) return;
      counts[ended.result] += 1;
      if (ended.result !== 'failed') return;
      const { path, line } = placeIn(ended.text, ended.file);
      const message = ended.message === '' ? ended.text : ended.message;
      findings.add({ name: ended.name, message, path, line: line ?? ended.line });
    },
  });
  try {
    for (let at = start; at < text.length; at += PIECE) parser.write(text.slice(at, at + PIECE));
  } catch {
    // What follows the report is no part of it.
  }
  if (!state.isWhole) return null;
  const failed = toCount(Math.max(counts.failed, declared));
  return { kind: 'tests', source: 'JUnit XML', first: findings.first, ...counts, failed };
}

function openTag({ name: qualified, attributes }: sax.Tag | sax.QualifiedTag, state: State): void {
  const name = localName(qualified);
  state.depth += 1;
  if (state.depth > MAX_DEPTH) throw new Error('nested too deeply');
  const of = attributes as Readonly<Record<string, string>>;
  declare(of, state);
  if (name === 'testcase') state.open.push(toCase(of));
  if (name === 'skipped') skip(state.open.at(-1), { isTodo: of['type'] === 'todo' });
  if (name !== 'failure' && name !== 'error') return;
  // A suite that could not be set up has a failure without a test.
  if (state.open.length === 0) state.open.push({ ...toCase({ name: 'suite' }), isSuite: true });
  const current = state.open.at(-1);
  if (current === undefined || current.isTodo) return;
  state.isInResult = true;
  current.result = 'failed';
  current.message ||= of['message'] ?? '';
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

function declare(of: Readonly<Record<string, string>>, { depth, declared }: State): void {
  const count = numberIn(of['failures']) + numberIn(of['errors']);
  if (depth === 1) [declared.root, declared.suites] = [count, 0];
  if (depth === 2) declared.suites += count;
}

function numberIn(text = ''): number {
  return /^\d{1,9}$/.test(text) ? Number(text) : 0;
}

function skip(current: Case | undefined, { isTodo }: Readonly<{ isTodo: boolean }>): void {
  if (current?.result !== 'passed') return;
  current.result = 'skipped';
  current.isTodo = isTodo;
}

/** The test that ended with this tag. */
function closeTag(name: string, state: State): Case | undefined {
  state.depth -= 1;
  if (state.depth === 0) state.isWhole = true;
  const isResult = name === 'failure' || name === 'error';
  if (isResult) state.isInResult = false;
  const current = state.open.at(-1);
  return name === 'testcase' || (isResult && current?.isSuite === true) ? state.open.pop() : undefined;
}

function toCase(of: Readonly<Record<string, string>>): Case {
  const { name = '', classname = '', file, line } = of;
  const number = line !== undefined && /^\d{1,7}$/.test(line) ? Number(line) : undefined;
  return {
    // Node.js writes the same class for every test.
    name:
      classname === '' || classname === 'test' || name.startsWith(classname)
        ? name
        : `${classname} > ${name}`,
    file,
    line: number,
    isSuite: false,
    result: 'passed',
    isTodo: false,
    message: '',
    text: '',
  };
}
