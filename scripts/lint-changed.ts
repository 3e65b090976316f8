// Lints what a branch changed, or the given paths; `fix` also formats them.
//
//   node scripts/lint-changed.ts lint|fix [paths]
//
// All files with types take a minute of two cores, and one file some seconds. An unchanged file can only break a rule
// by a type that it imports from a changed one: `npm run check` lints all.
import { spawnSync } from 'node:child_process';
import { changedFiles } from './changed-files.ts';

/** A change of one concerns every file. */
const RULES = new Set(['.oxlintrc.json', '.oxfmtrc.json']);

const LINT = ['--max-warnings=0', '--report-unused-disable-directives', '--no-error-on-unmatched-pattern'];

const [task, ...given] = process.argv.slice(2);
const paths = given.length > 0 ? given : changedPaths();
if (paths.length === 0) {
  process.stderr.write('nothing has changed (`npm run lint -- .` lints all files)\n');
} else {
  if (task === 'fix') run('oxfmt', '--no-error-on-unmatched-pattern');
  if (task === 'fix') LINT.unshift('--fix');
  run('oxlint', ...LINT);
}

function changedPaths(): readonly string[] {
  const changed = changedFiles(process.cwd());
  return changed === null || changed.some((path) => RULES.has(path)) ? ['.'] : changed;
}

function run(program: string, ...flags: readonly string[]): void {
  const { status, error } = spawnSync(program, [...flags, '--', ...paths], { stdio: 'inherit' });
  if (error !== undefined) throw error;
  if (status !== 0) process.exitCode = status ?? 1;
}
