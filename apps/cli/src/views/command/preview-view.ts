import type { CallPreview, PreviewCommit, PreviewFile, PreviewPart, UndoForecast } from '@signalbox/core';
import { byteText } from '@signalbox/api';
import { gap, wrap } from '../../terminal/cells.ts';
import { foldBlankRows } from '../../terminal/fold-blank-rows.ts';
import { as, type Line, line, muted } from '../../terminal/line.ts';
import type { RenderContext } from '../../terminal/render-context.ts';
import { partsOfDiffRow } from './diff-row.ts';
import { factRows } from './fact-rows.ts';

/** Rows of a part unless everything is shown. */
const SHORT = { names: 3, patch: 12, script: 12, files: 6, commits: 4 } as const;
const WHOLE = { names: 20, patch: 2000, script: 600, files: 100, commits: 20 } as const;
type RowLimits = Readonly<Record<keyof typeof SHORT, number>>;

/** What the call would do, part by part; the change of a single file is above, as the exact text. */
export function previewLines(preview: CallPreview, full: boolean, render: RenderContext): readonly Line[] {
  const limits = full ? WHOLE : SHORT;
  return [
    ...preview.parts.flatMap((part) => partRows(part, { limits, full }, render)),
    ...undoRows(preview.undo, full, render),
  ];
}

/** Beginning of the heading for uncommitted work. */
const TAKEN = 'Uncommitted work: ';

/** The whole patch of a call that changes one file; undefined if unknown or cut. */
export function changePatch(preview: CallPreview | null | undefined): string | undefined {
  const part = preview?.parts.find((one) => one.kind === 'diff' && one.heading === 'Change');
  return part?.kind === 'diff' && !part.isCut ? part.patch : undefined;
}

/** In one row: `18 files, 41 KiB · undo: yes`. */
export function previewSummary({ parts, undo }: CallPreview): string {
  return [
    ...parts.flatMap((part) => summaryOf(part) ?? []),
    `undo: ${undo.kind === 'unneeded' ? 'not needed' : undo.kind}`,
  ].join(' · ');
}

function summaryOf(part: PreviewPart): string | undefined {
  switch (part.kind) {
    case 'removal':
      return `deletes ${countText(part)}`;
    case 'diff':
      return diffCount(part);
    case 'push':
      return `${part.url ?? part.remote}${part.lostCount > 0 ? `, overwrites ${commits(part.lostCount)}` : ''}`;
    case 'script':
      return undefined;
    case 'hosts':
      return hostsText(part);
    case 'unavailable':
      return `${part.what}: unknown`;
  }
}

function partRows(
  part: PreviewPart,
  { limits, full }: Readonly<{ limits: RowLimits; full: boolean }>,
  render: RenderContext,
): readonly Line[] {
  const fact = (label: string, text: string): readonly Line[] => factRows(label, text, { render, full });
  switch (part.kind) {
    case 'removal':
      if (!part.isFolder) return fact('Deletes', `${part.path} (${byteText(part.bytes)})`);
      return [
        ...fact('Deletes', `${countText(part)} under ${part.path}`),
        ...listRows(part.names, part.files, { max: limits.names, render }),
      ];
    case 'diff':
      if (part.heading === 'Change')
        return part.isCut ? fact('Change', 'too long to be shown whole as a patch') : [];
      return [
        ...(part.heading.startsWith(TAKEN)
          ? fact('Takes', part.heading.replace(TAKEN, 'uncommitted work: '))
          : fact(part.heading === 'Would be committed' ? 'Commits' : 'Stages', diffCount(part))),
        ...listRows(part.files.map(fileText), part.fileCount, { max: limits.files, render }),
        ...patchRows(part, limits.patch, render),
      ];
    case 'push':
      return pushRows(part, limits, render);
    case 'script':
      return [
        ...fact('Script', part.path),
        ...textRows(
          foldBlankRows(part.text.replace(/\n$/, '').split('\n')),
          { max: limits.script, isCut: part.isCut },
          render,
        ),
      ];
    case 'hosts':
      return fact('Network', hostsText(part));
    case 'unavailable':
      return fact('Unknown', `${part.what} could not be computed: ${part.why}`);
  }
}

function pushRows(
  part: Extract<PreviewPart, { kind: 'push' }>,
  limits: RowLimits,
  render: RenderContext,
): readonly Line[] {
  const named = part.url === part.remote ? '' : ` ${part.url ?? '(not configured)'}`;
  const where = `${part.remote}${named}`;
  const fact = (label: string, text: string): readonly Line[] =>
    factRows(label, text, { render, full: true });
  const sends =
    part.deed === 'delete' ? [] : fact('Sends', `${part.from} → ${part.to}: ${commits(part.commitCount)}`);
  const how = part.deed === 'delete' ? 'Deletes' : 'Loses';
  const loses =
    part.lostCount > 0
      ? `${part.deed === 'delete' ? `${part.to}, and ` : ''}${commits(part.lostCount)} of the remote, as of the last fetch`
      : part.deed === 'delete'
        ? part.to
        : part.deed === 'overwrite'
          ? 'nothing as of the last fetch'
          : '';
  return [
    ...fact('Remote', where),
    ...sends,
    ...listRows(part.commits.map(commitText), part.commitCount, { max: limits.commits, render }),
    ...(loses === '' ? [] : fact(how, loses)),
    ...listRows(part.lost.map(commitText), part.lostCount, { max: limits.commits, render }),
    ...part.notes.flatMap((note) => fact('', note)),
  ];
}

function undoRows(undo: UndoForecast, full: boolean, render: RenderContext): readonly Line[] {
  const role = undo.kind === 'no' ? 'warn' : undo.kind === 'partly' ? 'warn' : 'ok';
  const [first, ...rest] = factRows('Undo', undoText(undo), { render, full });
  if (first === undefined) return [];
  return [line(first.slice(0, -1), as(role, first.at(-1)?.text ?? '')), ...rest];
}

function undoText(undo: UndoForecast): string {
  switch (undo.kind) {
    case 'yes':
      return `yes, ${undo.until}`;
    case 'partly':
      return `partly: ${undo.why}`;
    case 'no':
      return `no: ${undo.why}`;
    case 'unneeded':
      return 'not needed: it changes nothing';
  }
}

/** `more than 20,000 files, 1.2 GiB`. */
function countText({ files, bytes, isCounted }: Extract<PreviewPart, { kind: 'removal' }>): string {
  return `${isCounted ? '' : 'more than '}${numbered(files, 'file')}, ${byteText(bytes)}`;
}

function diffCount({ files, fileCount, isOvertaken }: Extract<PreviewPart, { kind: 'diff' }>): string {
  const overtaken = isOvertaken === true ? ' now; the rest of the line changes files first' : '';
  if (fileCount === 0) return `nothing${overtaken}`;
  const sum = (key: 'added' | 'removed'): number => files.reduce((all, file) => all + (file[key] ?? 0), 0);
  return `${numbered(fileCount, 'file')} +${sum('added')} -${sum('removed')}${overtaken}`;
}

function fileText({ path, added, removed }: PreviewFile): string {
  return added === null || removed === null ? `${path}  binary` : `${path}  +${added} -${removed}`;
}

function commitText({ id, subject }: PreviewCommit): string {
  return `${id} ${subject}`;
}

function commits(count: number): string {
  return numbered(count, 'commit');
}

function hostsText({ hosts, isOpen }: Extract<PreviewPart, { kind: 'hosts' }>): string {
  if (hosts.length === 0) return 'hosts that aren’t known beforehand';
  return `${hosts.join(', ')}${isOpen ? ', and others that aren’t known beforehand' : ''}`;
}

const INDENT = 12;

/** The first of a list, and how many more there are. */
function listRows(
  items: readonly string[],
  count: number,
  { max, render }: Readonly<{ max: number; render: RenderContext }>,
): readonly Line[] {
  const shown = items.slice(0, max);
  const left = count - shown.length;
  const rows = left > 0 && shown.length > 0 ? [...shown, `and ${left.toLocaleString('en-US')} more`] : shown;
  return rows.flatMap((row) => indented(row, render));
}

function patchRows(
  { patch, isCut }: Extract<PreviewPart, { kind: 'diff' }>,
  max: number,
  render: RenderContext,
): readonly Line[] {
  const rows = patch
    .replace(/\n$/, '')
    .split('\n')
    .filter((row) => !/^(?:index [0-9a-f]|diff --git )/.test(row));
  if (patch === '') return [];
  return textRows(rows, { max, isCut, isPatch: true }, render);
}

function textRows(
  rows: readonly string[],
  { max, isCut, isPatch = false }: Readonly<{ max: number; isCut: boolean; isPatch?: boolean }>,
  render: RenderContext,
): readonly Line[] {
  const shown = rows.slice(0, max).flatMap((row) => {
    const text = row.replaceAll('\t', '  ');
    return isPatch ? patchRow(text, render) : indented(text, render);
  });
  const left = rows.length - max;
  const more = left > 0 ? `… ${left.toLocaleString('en-US')} more rows` : isCut ? '… and more' : '';
  return more === '' ? shown : [...shown, ...indented(more, render)];
}

function patchRow(row: string, render: RenderContext): readonly Line[] {
  const { sign, blanks, text, role } = partsOfDiffRow(row);
  return wrap(text, Math.max(10, render.width - INDENT - 1 - blanks)).map((part, i) =>
    line(gap(INDENT), as(role, i === 0 ? sign : ' '), gap(blanks), as(role, part)),
  );
}

function indented(text: string, render: RenderContext): readonly Line[] {
  return wrap(text, Math.max(10, render.width - INDENT)).map((row) => line(gap(INDENT), muted(row)));
}

function numbered(count: number, noun: string): string {
  return `${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`;
}
