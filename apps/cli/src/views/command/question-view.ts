import { type CommandRecord, type Event, type PersonQuestion, shortId } from '@signalbox/core';
import { fit, wrap } from '../../terminal/cells.ts';
import { as, type Line, line, muted } from '../../terminal/line.ts';
import type { RenderContext } from '../../terminal/render-context.ts';

/** Rows of a question as its model wrote it: at most 1,000 characters and 6 choices. */
export function questionText(question: PersonQuestion, render: RenderContext): readonly Line[] {
  const width = Math.max(10, render.width - 4);
  return [
    ...wrap(question.text, width).map((row) => fit(line('   ', as('bold', row)), render.width)),
    ...question.choices.flatMap((choice, at) =>
      wrap(choice, Math.max(10, width - 3)).map((row, n) =>
        fit(line('   ', n === 0 ? as('accent', `${at + 1}`) : ' ', `  ${row}`), render.width),
      ),
    ),
  ];
}

/** Who asks, and that no call depends on the answer. */
export function questionFacts({ context }: CommandRecord, render: RenderContext): readonly Line[] {
  const says = `${context.provider} wrote this question; an answer approves no command. It reads your answer as a message from you`;
  return wrap(says, Math.max(10, render.width - 4)).map((row) => fit(line('   ', muted(row)), render.width));
}

/** The keys below it. */
export function questionKeys({ choices, allowText }: PersonQuestion, laterKey: string): Line {
  const key = (text: string): Line => line('  ', as('accent', text));
  return line(
    ' ',
    ...(choices.length === 0 ? [] : [as('accent', `[1]–[${choices.length}]`), ' choose']),
    ...(allowText ? [key('[T]ype an answer')] : []),
    key('[D]ecline'),
    key('[+]5m'),
    key(`[${laterKey}]`),
    ' later',
  );
}

type Answered = Extract<Event, { type: 'question_answered' | 'command_approved' }>;

/** Answered in another terminal, on the dashboard or in an agent; nothing for a call that a rule allowed. */
export function answeredLines({ by, ...event }: Answered): readonly Line[] {
  if (by === 'auto') return [];
  const id = shortId(event.commandId);
  const [verb, what] =
    event.type === 'question_answered' ? ['answered', event.answer] : ['approved', event.title];
  return [line(as('ok', ' ✓'), ` ${by.name} ${verb} ${id} `, muted(what))];
}
