import { marksFor, nameOf } from './check.ts';
import type { Row } from './data.ts';
import { VALUE } from '../test-titles.ts';
import type { Mark } from './marks.ts';

/** A test of a run, by its titles from the outermost suite on. */
export type RunTest = Readonly<{ file: string; titles: readonly string[]; passed: boolean }>;

/** Values of a table of tests, as vitest fills them in. */
const FILLED_IN = /%[sdifjoOc#$]|\$[\w.]+/g;

/**
 * Rows that are built, of which no test passed in a run, one sentence each. A run of some files says nothing about a row
 * that a test in another file holds too.
 */
export function notShown(
  run: readonly RunTest[],
  { rows, marks }: Readonly<{ rows: readonly Row[]; marks: readonly Mark[] }>,
): readonly string[] {
  const files = new Set(run.map(({ file }) => file));
  return rows
    .filter(({ state }) => state === 'done' || state === 'deviates')
    .map(({ id }) => ({ id, own: marksFor(marks, id).filter(({ state }) => state === 'runs') }))
    .filter(({ own }) => own.every((mark) => isContract(mark) || files.has(mark.file)))
    .flatMap(({ id, own }) => {
      const found = own.flatMap((mark) => run.filter((test) => isNamedBy(mark, test)));
      // A contract alone: its implementations are in no file of this run.
      if (found.length === 0 && own.every(isContract)) return [];
      if (found.some(({ passed }) => passed)) return [];
      return [`${id}: none of its tests passed: ${own.map(nameOf).join(', ')}`];
    });
}

/** Its tests run in the files of the implementations. */
function isContract({ file }: Mark): boolean {
  return file.endsWith('-contract.ts');
}

function isNamedBy(mark: Mark, { file, titles }: RunTest): boolean {
  if (!isContract(mark) && mark.file !== file) return false;
  // A contract may be in a suite of its caller, and the title of a suite names all tests in it.
  return titles.some((_, start) => mark.titles.every((title, i) => fits(titles[start + i] ?? '', title)));
}

/** Whether a title is the written one with some value for each that the source does not say. */
function fits(title: string, written: string): boolean {
  const parts = written.split(VALUE).flatMap((part) => part.split(FILLED_IN));
  const [first = '', ...others] = parts;
  const last = others.pop();
  if (last === undefined) return title === first;
  if (!title.startsWith(first)) return false;
  let position = first.length;
  for (const part of others) {
    const found = title.indexOf(part, position);
    if (found === -1) return false;
    position = found + part.length;
  }
  return title.endsWith(last) && title.length - last.length >= position;
}
