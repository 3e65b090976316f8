/** What Stryker reports, of which only this is used: see `mutation-testing-report-schema`. */
export type Report = Readonly<{
  files: Readonly<Record<string, Readonly<{ source: string; mutants: readonly Mutant[] }>>>;
}>;

export type Mutant = Readonly<{
  id: string;
  mutatorName: string;
  replacement?: string;
  /** Absent until it is tried. */
  status?: string;
  location: Readonly<{ start: Position; end: Position }>;
}>;
/** Both from 1. */
type Position = Readonly<{ line: number; column: number }>;

/** `killed` of `changes` made a test fail; `survivors` are the others, in the order of the file. */
export type FileResult = Readonly<{ killed: number; changes: number; survivors: readonly string[] }>;

/** `RuntimeError`: a test file could not even be loaded. */
const KILLED = new Set(['Killed', 'Timeout', 'RuntimeError']);
/** Others could not be tried: code that runs on import, for one, has run before a test. */
const SURVIVED = new Set(['Survived', 'NoCoverage']);
const LONGEST = 80;

/** @throws {Error} when the report lacks the file */
export function resultOf({ files }: Report, file: string): FileResult {
  const reported = files[file];
  if (reported === undefined) throw new Error(`The report lacks ${file}`);
  const lines = reported.source.split('\n');
  const survived = reported.mutants.filter(({ status }) => SURVIVED.has(status ?? ''));
  const killed = reported.mutants.filter(({ status }) => KILLED.has(status ?? '')).length;
  const survivors = survived
    .toSorted((a, b) => a.location.start.line - b.location.start.line)
    .map((mutant) => described(mutant, lines));
  return { killed, changes: killed + survived.length, survivors: [...new Set(survivors)] };
}

/** `approval === null → true (ConditionalExpression)`; without its line, which other changes move. */
function described({ mutatorName, replacement = '', location }: Mutant, lines: readonly string[]): string {
  const { start, end } = location;
  const first = lines[start.line - 1] ?? '';
  const original =
    start.line === end.line ? first.slice(start.column - 1, end.column - 1) : first.slice(start.column - 1);
  return `${short(original)} → ${short(replacement)} (${mutatorName})`;
}

function short(code: string): string {
  const line = code.replaceAll(/\s+/g, ' ').trim();
  return line.length > LONGEST ? `${line.slice(0, LONGEST - 1)}…` : line;
}
