import { checkResult } from '@signalbox/api';
import type { Review, ReviewFile } from '@signalbox/coordinator';
import type { CommandId } from '@signalbox/core';
import { cutMiddle, fit, gap, lineCells, wrap } from '../terminal/cells.ts';
import { idLabel } from '../terminal/id-labels.ts';
import { as, BLANK, type Line, line, muted } from '../terminal/line.ts';
import { duration, type RenderContext, plural } from '../terminal/render-context.ts';
import { patchView, sinceThen } from '../views/command/changes-view.ts';

/** A file of the review with its number on the screen. */
export type NumberedFile = Readonly<{
  number: number;
  provider: string;
  file: ReviewFile;
  /** Hunks of all its changes, oldest first; empty unless there are several. */
  hunks: readonly NumberedHunk[];
}>;

/** `2.1`: the first hunk of file 2. */
export type NumberedHunk = Readonly<{
  label: string;
  /** The file's number. */
  file: number;
  command: CommandId;
  path: string;
  head: string;
}>;

/** Marks of kept changes, shared by all terminals and the dashboard; see `keyOf`. */
export type KeptChanges = ReadonlySet<string>;

export function numberedFiles({ providers }: Review): readonly NumberedFile[] {
  const all = providers.flatMap(({ provider, files }) => files.map((file) => ({ provider, file })));
  return all.map((one, at) => ({ ...one, number: at + 1, hunks: hunksOf(one.file, at + 1) }));
}

function hunksOf({ path, changes }: ReviewFile, number: number): readonly NumberedHunk[] {
  const all = changes.flatMap(({ command, hunks }) => hunks.map((head) => ({ command, head })));
  if (all.length < 2) return [];
  return all.map((hunk, at) => ({ ...hunk, label: `${number}.${at + 1}`, file: number, path }));
}

/** Another change of the file, or of the hunk's command, has another key. */
export function keyOf(one: NumberedFile | NumberedHunk): string {
  if ('head' in one) return `${one.command} ${one.path} ${one.head}`;
  return `${one.provider} ${one.file.path} ${one.file.changes.map(({ command }) => command).join(' ')}`;
}

export function isKept(one: NumberedFile, kept: KeptChanges): boolean {
  return kept.has(keyOf(one)) || (one.hunks.length > 0 && one.hunks.every((hunk) => kept.has(keyOf(hunk))));
}

/** Files by provider, numbered: ` 2  src/tax.ts  +10 -0  also changed by anthropic`. */
export function reviewView(
  review: Review,
  render: RenderContext,
  kept: KeptChanges = new Set(),
): readonly Line[] {
  const files = numberedFiles(review);
  const paths = new Set(files.map(({ file }) => file.path));
  const head = `${plural(paths.size, 'file')} changed by ${plural(review.providers.length, 'provider')}`;
  return [
    line(as('bold', 'Review'), muted(`   ${head}`)),
    ...review.checks.map((check) => fit(checkRow(check, render), render.width)),
    ...review.providers.flatMap(({ provider }) => [
      line(' ', as('bold', provider)),
      ...files
        .filter((one) => one.provider === provider)
        .flatMap((one) => fileRows(one, { isKeptFile: isKept(one, kept), width: render.width })),
      ...review.hidden
        .filter((one) => one.provider === provider)
        .flatMap((one) => hiddenRows(one, render.width)),
    ]),
  ];
}

/** `  !  2 changed files are ignored by git since openai changed .gitignore: cache/x, evil.sh`. */
function hiddenRows(
  { provider, by, fileCount, paths }: Review['hidden'][number],
  width: number,
): readonly Line[] {
  const more = fileCount > paths.length ? ` and ${fileCount - paths.length} more` : '';
  const files = `${plural(fileCount, 'changed file')} ${fileCount === 1 ? 'is' : 'are'}`;
  const text = `${files} ignored by git since ${provider} changed ${by}: ${paths.join(', ')}${more}`;
  return wrap(text, width - NOTE_INDENT).map((row, at) =>
    line(at === 0 ? as('warn', '   !  ') : gap(NOTE_INDENT), as('warn', row)),
  );
}

/** ` ✓ run_tests passed, 2 min ago · m2qd`; a check older than the changes is not shown as passed. */
function checkRow(check: Review['checks'][number], render: RenderContext): Line {
  const { command, title, passed, isOlder, endedAt } = check;
  const role = isOlder ? 'warn' : passed ? 'ok' : 'danger';
  const [icon, ago] = [isOlder ? '!' : passed ? '✓' : '✗', duration(Math.max(0, render.now - endedAt))];
  return line(
    ' ',
    as(role, icon),
    ` ${cutMiddle(title, LONGEST_TITLE)} `,
    as(role, checkResult(check)),
    muted(`   ${ago} ago · ${idLabel(command, render)}`),
  );
}

const LONGEST_TITLE = 40;

/** In one row if it fits; otherwise what happened to the file is below its name. */
function fileRows(
  { number, file, hunks }: NumberedFile,
  { isKeptFile, width }: Readonly<{ isKeptFile: boolean; width: number }>,
): readonly Line[] {
  const { path, added, removed, alsoChangedBy, isCurrent: current, isByHand: byHand, isDeleted } = file;
  const since = sinceThen({ current, byHand, deleted: isDeleted });
  const notes = [
    ...(alsoChangedBy.length === 0 ? [] : [`also changed by ${alsoChangedBy.join(', ')}`]),
    ...(since === null ? [] : [since]),
  ];
  const head = (name: string): Line =>
    line(
      muted(`${String(number).padStart(4)}  `),
      name,
      '  ',
      as('ok', `+${added}`),
      ' ',
      as('danger', `-${removed}`),
      ...(hunks.length > 0 ? [muted(`   ${plural(hunks.length, 'hunk')}`)] : []),
    );
  const kept = isKeptFile ? [as('ok', '   ✓ kept')] : [];
  const whole = line(head(path), ...notes.map((note) => as('warn', `   ${note}`)), ...kept);
  if (lineCells(whole) <= width) return [whole];
  const room = Math.max(LEAST_PATH, width - lineCells(line(head(''), ...kept)));
  return [
    line(head(cutMiddle(path, room)), ...kept),
    ...wrap(notes.join('   '), width - NOTE_INDENT)
      .filter((row) => row !== '')
      .map((row) => line(gap(NOTE_INDENT), as('warn', row))),
  ];
}

const LEAST_PATH = 16;
const NOTE_INDENT = 6;

/** Each change of a file, oldest first; several hunks are numbered. */
export function fileDiffView(
  { provider, file, hunks }: NumberedFile,
  { kept, width }: Readonly<{ kept: KeptChanges; width: number }>,
): readonly Line[] {
  return file.changes.flatMap((change) => {
    const own = hunks.filter(({ command }) => command === change.command);
    const heads = [...own];
    return [
      BLANK,
      fit(line(as('bold', file.path), muted(`   ${provider}: ${change.title}`)), width),
      ...patchView({ ...change, path: file.path }).map((row) => {
        const hunk = row[0]?.role === 'accent' && row[0].text === heads[0]?.head ? heads.shift() : undefined;
        if (hunk === undefined) return row;
        return line(
          as('bold', `${hunk.label} `),
          row,
          ...(kept.has(keyOf(hunk)) ? [as('ok', '   ✓ kept')] : []),
        );
      }),
    ];
  });
}
