import type { CommandRecord, FileTouch, ProviderId } from '@signalbox/core';
import { cells, column, gap, lineCells, wrap } from '../../terminal/cells.ts';
import { statusIconOf, STATUS_ICONS, iconCell } from '../../terminal/icon.ts';
import { idLabel } from '../../terminal/id-labels.ts';
import { as, type Line, line, muted, type TextRole } from '../../terminal/line.ts';
import { duration, type RenderContext, plural, timeOfDay } from '../../terminal/render-context.ts';
import { refusedConnections } from './refused-connections.ts';
import { answerCodeOf, killedBy, ownExitCode } from './own-exit-code.ts';
import { withoutWord } from './without-word.ts';

/** How a command ended, for the scrollback of `run`: one row, more if the reason is long or hosts were refused. */
export function endingView(
  record: CommandRecord,
  render: RenderContext,
  { nameWidth = 10 }: Readonly<{ nameWidth?: number }> = {},
): readonly Line[] {
  const indent = gap(14 + nameWidth);
  const refused = refusedConnections(record.result).flatMap((row) => wrappedRow(row, indent, render));
  return [...endingRows(record, nameWidth, render), ...refused];
}

/** A row of facts below an end. */
function wrappedRow(row: Line, indent: Line, render: RenderContext): readonly Line[] {
  const [sign, ...rest] = row;
  const text = rest
    .map((part) => part.text)
    .join('')
    .trim();
  const room = Math.max(16, render.width - lineCells(indent) - 2);
  return wrap(text, room).map((part, i) =>
    line(indent, i === 0 && sign !== undefined ? sign : ' ', ' ', part),
  );
}

function endingRows(record: CommandRecord, nameWidth: number, render: RenderContext): readonly Line[] {
  const { result } = record;
  const status = statusIconOf(record);
  const head = line(
    muted(timeOfDay(record.endedAt ?? render.now, render)),
    ' ',
    iconCell(status),
    column(record.context.provider, nameWidth),
    '  ',
    muted(idLabel(record.id, render)),
    '  ',
  );
  const note = noteOf(record);
  const role: TextRole = result?.success === true ? 'muted' : status.role;
  const left = lineCells(head);
  const room = render.width - left;
  if (cells(record.title) + 2 + cells(note) <= room) {
    const filling = render.width === Infinity ? 2 : room - cells(record.title) - cells(note);
    return [line(head, record.title, gap(filling), as(role, note))];
  }
  return [
    line(head, column(record.title, Math.max(8, room), { cut: 'middle' })),
    ...wrap(note, Math.max(16, room)).map((row) =>
      line(gap(Math.min(left, render.width - 16)), as(role, row)),
    ),
  ];
}

/** `12:04:21 ✓  openai           read 3 files, listed 1 folder`: successful reads, folded into one row. */
export function readsView(
  provider: ProviderId,
  tools: readonly string[],
  { at, render, nameWidth = 10 }: Readonly<{ at: number; render: RenderContext; nameWidth?: number }>,
): Line {
  const times = (tool: string): number => tools.filter((one) => one === tool).length;
  const [read, listed, searched] = [times('read_file'), times('list_directory'), times('search_files')];
  const words = [
    ...(read === 0 ? [] : [`read ${plural(read, 'file')}`]),
    ...(listed === 0 ? [] : [`listed ${plural(listed, 'folder')}`]),
    ...(searched === 0 ? [] : [`searched ${plural(searched, 'time')}`]),
  ];
  return line(
    muted(timeOfDay(at, render)),
    ' ',
    iconCell(STATUS_ICONS.completed),
    column(provider, nameWidth),
    gap(8),
    muted(words.join(', ')),
  );
}

/** Details worth a word: what it changed, why it did not run, how long it took. */
function noteOf({ result, startedAt }: CommandRecord): string {
  if (result === null) return '';
  const { outcome, files, durationMs } = result;
  const exitCode = ownExitCode(result);
  const changed = changedText(files);
  if (outcome.kind === 'completed') {
    const answer = answerCodeOf(result);
    const long = changed === '' && durationMs >= 1000 ? duration(durationMs) : '';
    return [answer === null ? '' : `exit ${answer}`, changed, long].filter((part) => part !== '').join(' · ');
  }
  const word = outcome.kind === 'conflict' ? 'stale' : outcome.kind;
  if (outcome.kind === 'failed' && exitCode !== null && startedAt !== null) {
    const { why = [] } = outcome.failure;
    const facts = [`exit ${exitCode}`, duration(durationMs), changed, ...why];
    return facts.filter((part) => part !== '').join(' · ');
  }
  const killed = killedBy(result);
  if (killed !== null) return [killed.message, killed.suggestion].filter(Boolean).join('. ');
  return `${word}: ${withoutWord(word, outcome.failure.message)}`;
}

/** `+4 -2` for one file, `19 files +1029 -1029` for several; without counts if a file is not text, or too large. */
function changedText(files: readonly FileTouch[]): string {
  const changed = files.filter(({ kind }) => kind !== 'read');
  if (changed.length === 0) return '';
  const added = changed.reduce((sum, { linesAdded }) => sum + (linesAdded ?? 0), 0);
  const removed = changed.reduce((sum, { linesRemoved }) => sum + (linesRemoved ?? 0), 0);
  const counts = added + removed > 0 ? `+${added} -${removed}` : '';
  if (changed.length > 1) return `${changed.length} files${counts === '' ? '' : ` ${counts}`}`;
  return counts === '' ? '1 file' : counts;
}
