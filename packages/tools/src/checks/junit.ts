import type { CheckReport } from '@signalbox/core';
import sax from 'sax';
import { createFindings, placeIn } from './findings.ts';

/** Of one failure's text. */
const MAX_TEXT = 8000;
/** Nested deeper is no report of tests. */
const MAX_DEPTH = 64;

/** Characters given to the parser at once. */
const PIECE = 65_536;

type State = {
  current: Case | null;
  isInResult: boolean;
  depth: number;
  isWhole: boolean;
};

type Case = {
  name: string;
  readonly file: string | undefined;
  readonly line: number | undefined;
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
  const state: State = { current: null, isInResult: false, depth: 0, isWhole: false };
  const onText = (piece: string): void => {
    const { isInResult, current } = state;
    if (isInResult && current !== null && current.text.length < MAX_TEXT)
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
      const ended = closeTag(name, state);
      if (ended === null) return;
      counts[ended.result] += 1;
      if (ended.result !== 'failed') return;
      const { path, line } = placeIn(ended.text, ended.file);
      const message = ended.message === '' ? ended.text : ended.message;
      findings.add({ name: ended.name, message, path, line: line ?? ended.line });
    },
  });
  try {
    for (let at = start; at < text.length && !state.isWhole; at += PIECE)
      parser.write(text.slice(at, at + PIECE));
  } catch {
    // What follows the report is no part of it.
  }
  return state.isWhole ? { kind: 'tests', source: 'JUnit XML', first: findings.first, ...counts } : null;
}

function openTag({ name, attributes }: sax.Tag | sax.QualifiedTag, state: State): void {
  state.depth += 1;
  if (state.depth > MAX_DEPTH) throw new Error('nested too deeply');
  const of = attributes as Readonly<Record<string, string>>;
  if (name === 'testcase') state.current = toCase(of);
  const { current } = state;
  if (current === null) return;
  if (name === 'skipped') {
    current.result = 'skipped';
    current.isTodo = of['type'] === 'todo';
  }
  if ((name !== 'failure' && name !== 'error') || current.isTodo) return;
  state.isInResult = true;
  current.result = 'failed';
  current.message ||= of['message'] ?? '';
}

/** The test that ended with this tag. */
function closeTag(name: string, state: State): Case | null {
  state.depth -= 1;
  if (state.depth === 0) state.isWhole = true;
  if (name === 'failure' || name === 'error') state.isInResult = false;
  if (name !== 'testcase') return null;
  const { current } = state;
  state.current = null;
  return current;
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
    result: 'passed',
    isTodo: false,
    message: '',
    text: '',
  };
}
