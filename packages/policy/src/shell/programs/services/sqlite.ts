import { valuesOf } from '../node/loads-modules.ts';
import { DESTROYS } from './databases.ts';
import { definePrograms, type Invocation, WRITES_UNKNOWN } from '../../program.ts';
import { touchRead, touchWrite } from '../../paths/touch.ts';
import { literal, show, textOf, type Word } from '../../word.ts';

/** Databases that are files: a statement changes the file that the line names. */
export const sqlite = definePrograms({
  names: ['sqlite3', 'duckdb'],
  style: 'long',
  options:
    '--readonly --header --noheader --csv --json --jsonlines --line --list --column --table --box --markdown --html --quote --ascii --tabs --batch --bail --echo --safe --stats --memtrace --nofollow -cmd= -c= -s= -init=read -separator= -newline= -nullvalue= -mmap= -V --version --help',
  judge: judgeStatements,
  examples: {
    safe: ['sqlite3 --version', 'sqlite3 -version'],
    warning: [
      "sqlite3 a.db 'select 1'",
      'sqlite3 a.db .tables',
      'sqlite3 -json a.db .schema',
      'sqlite3 a.db',
      "sqlite3 a.db 'pragma user_version = 2'",
      'sqlite3 -frobnicate a.db .schema',
      `duckdb -c "select * from 'a.csv'"`,
    ],
    dangerous: [
      "sqlite3 a.db 'delete from t'",
      "sqlite3 a.db '.shell id'",
      `duckdb -c "select * from '.env'"`,
      `sqlite3 a.db "select readfile('.env')"`,
      "sqlite3 -cmd '.system id' a.db",
      'sqlite3 a.db "$statement"',
      'sqlite3 a.db < x.sql',
      'sqlite3 ~/.config/chromium/Default/Cookies .dump',
    ],
  },
});

/** Client commands that only show. */
const SHOWING =
  /^\.(?:tables|schema|fullschema|indexes|indices|databases|dbinfo|dump|headers?|mode|width|show|help|nullvalue|separator|stats|timer|print|quit|exit|version)\b/i;

const READ_ONLY =
  /^(?:select|explain|with|values|describe|show|from|summarize|pragma\s+[\w.]+(?:\(\w*\))?$|$)/i;

/** Statements that reach beyond the database: other files, programs, libraries. */
const LEAVES =
  /\b(?:attach|writefile|readfile|readblob|load_extension|edit|fsdir|lsmode|install|load|export|copy)\b|\bvacuum\s+into\b|\b(?:read|write)_\w+\s*\(/i;

function judgeStatements({ options, context, span }: Invocation): void {
  const { report, state } = context;
  if (options.given.some(({ name }) => /^(?:-V|--version|--help)$/.test(name))) return;
  const [database, ...operands] = options.operands;
  if (database !== undefined) touchRead(context, database);
  const statements = [...valuesOf(options, '-cmd -c -s'), ...operands].filter((word) => word !== undefined);
  if (statements.length === 0 || state.stdin.kind !== 'none') {
    const level = state.stdin.kind === 'none' ? 'warning' : 'dangerous';
    report.raise(level, 'database', { text: "runs statements that can't be determined", span });
    report.effect(WRITES_UNKNOWN);
  }
  for (const statement of statements) judgeStatement(statement, database, context);
}

function judgeStatement(word: Word, database: Word | undefined, context: Invocation['context']): void {
  const { report } = context;
  const parts = (textOf(word) ?? '.unknown').split(/[;\n]/).map((part) => part.trim());
  if (parts.some((part) => (part.startsWith('.') && !SHOWING.test(part)) || LEAVES.test(part))) {
    report.raise('dangerous', 'database', {
      text: `reaches beyond the database: ${show(word)}`,
      span: word.span,
    });
    return report.effect(WRITES_UNKNOWN);
  }
  // DuckDB reads the file named in place of a table.
  for (const part of parts)
    for (const [, file = ''] of part.matchAll(/\b(?:from|join)\s+'([^']*)'/gi))
      touchRead(context, literal(file, word.span));
  const destroys = parts.some((part) => DESTROYS.test(part));
  const readsOnly = parts.every((part) => READ_ONLY.test(part) || part.startsWith('.'));
  const does = destroys ? 'changes' : readsOnly ? 'reads' : 'may change';
  report.raise(destroys ? 'dangerous' : 'warning', 'database', {
    text: `${does} a database`,
    span: word.span,
  });
  if (database !== undefined && (destroys || !readsOnly)) touchWrite(context, database);
}
