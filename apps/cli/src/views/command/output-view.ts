import type { CommandRecord } from '@signalbox/core';
import { wrap } from '../../terminal/cells.ts';
import { iconCell, statusIconOf } from '../../terminal/icon.ts';
import { idLabel } from '../../terminal/id-labels.ts';
import { as, type Line, line, muted, printed } from '../../terminal/line.ts';
import { duration, type RenderContext, plural } from '../../terminal/render-context.ts';
import { answerCodeOf, killedBy, ownExitCode } from './own-exit-code.ts';

/** The line above an output, for standard error: whose it is and how it ended. */
export function outputHead(record: CommandRecord, render: RenderContext): Line {
  const status = statusIconOf(record);
  const { result } = record;
  const exitCode = answerCodeOf(result) === null ? ownExitCode(result) : null;
  const facts = [
    `${status.word}${exitCode === null ? '' : `, exit ${exitCode}`}`,
    ...(result === null || record.startedAt === null ? [] : [duration(result.durationMs)]),
  ];
  return line(
    iconCell(status),
    idLabel(record.id, render),
    ' ',
    muted(record.context.provider),
    ' ',
    as('bold', record.title),
    ` · ${facts.join(' · ')}`,
  );
}

/** Why it was killed, and what to do, below the head; empty if it exited by itself. */
export function killedView(record: CommandRecord, render: RenderContext): readonly Line[] {
  const killed = killedBy(record.result);
  if (killed === null) return [];
  return [killed.message, killed.suggestion ?? '']
    .filter((text) => text !== '')
    .flatMap((text, i) =>
      wrap(text, Math.max(20, render.width - 2)).map((row) =>
        line('  ', as(i === 0 ? 'danger' : 'accent', row)),
      ),
    );
}

/** Its output, for a terminal: its own colours pass, other control sequences do not. */
export function outputView(text: string, tail?: number): readonly Line[] {
  const rows = rowsOf(text);
  const shown = tail === undefined ? rows : rows.slice(-tail);
  return shown.map((row) => line(printed(row)));
}

/** For a command without output: the answer of its tool, or why it failed, in words for people. */
export function answeredText({ content, failure }: NonNullable<CommandRecord['result']>): string {
  return failure === null ? content : [failure.message, ...(failure.why ?? [])].join('\n');
}

/** Says what `--tail` left out, for standard error. */
export function leftOut(
  record: CommandRecord,
  text: string,
  { tail, render }: Readonly<{ tail: number; render: RenderContext }>,
): readonly Line[] {
  const hidden = rowsOf(text).length - tail;
  if (hidden <= 0) return [];
  return [
    line(
      muted(`… ${plural(hidden, 'line')} left out: signalbox output ${idLabel(record.id, render)} | less`),
    ),
  ];
}

function rowsOf(text: string): readonly string[] {
  const rows = text.replace(/\n$/, '').split('\n');
  // Text overwritten by a bare carriage return was never meant to stay.
  return text === '' ? [] : rows.map((row) => row.replace(/\r$/, '').split('\r').at(-1) ?? '');
}
