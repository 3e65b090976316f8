import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const STATUSES: ReadonlySet<string> = new Set(['done', 'partly', 'to come']);
/** The parts of the plan that a row may wait for. */
const PLAN = [
  'classifier breadth',
  'sandbox transactions',
  'Redis',
  'doors',
  'proving ground',
  'no issue yet',
];

const ids = JSON.parse(readFileSync('docs/internals/requirements-ids.json', 'utf8')) as string[];
const rows = rowsOf(readFileSync('docs/internals/requirements-status.md', 'utf8'));

test('every requirement is on the page exactly once', () => {
  expect(ids).toHaveLength(189);
  expect(rows.map(({ id }) => id)).toEqual(ids);
});

test('every row has one of the three statuses', () => {
  expect(rows.filter(({ status }) => !STATUSES.has(status))).toEqual([]);
});

test('every file that a row names exists', () => {
  const missing = rows.flatMap(({ id, files }) =>
    files.filter((file) => !existsSync(file)).map((file) => `${id}: ${file}`),
  );
  expect(missing).toEqual([]);
});

test('a done row names a test, or a measurement with a limit', () => {
  const isTest = (file: string): boolean => /\.(?:test|bench)\.ts$/.test(file);
  expect(rows.filter(({ status, files }) => status === 'done' && !files.some(isTest))).toEqual([]);
});

test('a partly done row says what is missing', () => {
  expect(rows.filter(({ status, words }) => status === 'partly' && words === '')).toEqual([]);
});

test('a row to come names the part of the plan that brings it, and no file', () => {
  const vague = rows.filter(
    ({ status, words, files }) =>
      status === 'to come' && (files.length > 0 || !PLAN.some((part) => words.split(':')[0] === part)),
  );
  expect(vague).toEqual([]);
});

type Row = {
  readonly id: string;
  readonly status: string;
  readonly files: readonly string[];
  /** The last cell without the files. */
  readonly words: string;
};

function rowsOf(markdown: string): Row[] {
  return markdown
    .split('\n')
    .filter((line) => /^\| (?:[A-Y]\d+|X-\d\d) +\|/.test(line))
    .map((line) =>
      line
        .slice(1, -1)
        .split('|')
        .map((cell) => cell.trim()),
    )
    .map(([id = '', , status = '', where = '']) => {
      const files = [...where.matchAll(/`((?:packages|apps|scripts)\/[^`]+)`/g)].map(([, file = '']) => file);
      const words = files.reduce((rest, file) => rest.replace(`\`${file}\``, ''), where);
      return { id, status, files, words: words.replaceAll(/[;,\s]+$/g, '') };
    });
}
