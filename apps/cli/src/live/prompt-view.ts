import type { Approver } from '@signalbox/core';
import { isApprovable, type JudgedCommand, type PromptState } from './approval-prompt.ts';
import { cells, cutMiddle, fit, spread } from '../terminal/cells.ts';
import { idLabel } from '../terminal/id-labels.ts';
import { as, type Line, line, muted } from '../terminal/line.ts';
import { type RenderContext } from '../terminal/render-context.ts';
import { approvalKeys, needsSecondKey } from '../views/command/approval-view.ts';
import { questionKeys } from '../views/command/question-view.ts';
import { shellLineOf } from '../runtime/contract/shell-line.ts';
import { rememberView } from './remember-view.ts';
import { timeLeft } from '../views/command/time-left.ts';
import { typedRow } from '../views/typed-row.ts';
import { reasonsWorthShowing } from '../views/command/verdict-view.ts';

export type PromptWorld = Readonly<{
  /** Number of pending approvals, including this one. */
  waiting: number;
  me: Approver;
  /** The key that postpones it; default: `Esc`. */
  laterKey?: string;
}>;

/** The prompt in the live region: two or three rows. The whole approval is above, in the scrollback. */
export function promptView(
  state: PromptState,
  { waiting, me, laterKey = 'Esc' }: PromptWorld,
  render: RenderContext,
): readonly Line[] {
  const { record, at, never } = state;
  const id = idLabel(record.id, render);
  switch (at.step) {
    case 'asking':
      if (record.approval?.question !== undefined) {
        return [
          askingRow(state, waiting, render),
          fit(questionKeys(record.approval.question, laterKey), render.width),
        ];
      }
      return [
        askingRow(state, waiting, render),
        ...(at.help ? helpRows(laterKey) : []),
        ...(never === undefined ? [] : [fit(line('   ', as('warn', 'no rule: '), never), render.width)]),
        fit(
          approvalKeys(record, {
            approve: record.approval?.grants.every(({ by }) => by.name !== me.name) !== false,
            change: shellLineOf(record) !== undefined,
            remember: never === undefined && !needsSecondKey(record),
            laterKey,
          }),
          render.width,
        ),
      ];
    case 'confirming':
      return [
        ...(at.changed === null ? [] : [fit(line('   ', as('bold', at.changed.line)), render.width)]),
        line(
          as('badge-danger', ` Approve ${id}? `),
          ' ',
          as('accent', '↵'),
          ' confirms, any other key goes back',
        ),
      ];
    case 'replying':
      return [
        typedRow(` Answer to ${record.context.provider}: `, at.text, render),
        hint('↵ send   Esc back'),
      ];
    case 'reason':
      return [
        typedRow(` Reason for ${record.context.provider} (optional): `, at.text, render),
        hint(record.approval?.question === undefined ? '↵ deny   Esc back' : '↵ decline   Esc back'),
      ];
    case 'editing':
      return [
        typedRow('   ', at.text, render),
        ...(at.judged === null ? [] : [judgedRow(at.judged, render)]),
        hint(`Modify ${id}   ↵ re-check   Esc back`),
      ];
    case 'judged':
      return [
        fit(line('   ', as('bold', at.line)), render.width),
        judgedRow(at.judged, render),
        line(
          ' ',
          isApprovable(at.judged) ? as('accent', '[A]pprove the edited line') : muted('Can’t be approved'),
          '   ',
          as('accent', '[E]'),
          ' keep editing',
          '   ',
          as('accent', '[D]eny'),
        ),
      ];
    case 'remembering':
      return rememberView(at.remember, id, render);
    case 'gone':
      return [
        fit(line(' ', as('warn', `${id} was answered, changed or expired.`)), render.width),
        fit(
          line(' ', muted('Nothing you typed was sent.  '), as('accent', 'Esc'), muted(' to continue')),
          render.width,
        ),
      ];
  }
}

function askingRow({ record }: PromptState, waiting: number, render: RenderContext): Line {
  const left = record.approval?.status === 'pending' ? record.approval.expiresAt - render.now : 0;
  const { approvers = 1, grants = [] } = record.approval ?? {};
  const given = approvers > 1 ? `  approved ${grants.length} of ${approvers}` : '';
  const more = `${given}${waiting > 1 ? `  1 of ${waiting}` : ''}`;
  const right = line(
    muted(more),
    '  ',
    as(left < 60_000 ? 'danger' : 'warn', timeLeft(render.now + left, render.now)),
  );
  const question = record.approval?.question;
  const level = record.verdict?.level ?? 'warning';
  const state = question === undefined ? as(level, level) : as('asks', 'asks you');
  const head = line(
    ' ',
    as('asks', question === undefined ? '!' : '?'),
    ' ',
    as('bold', record.context.provider),
    ' ',
    muted(idLabel(record.id, render)),
    ' ',
    state,
    '  ',
  );
  const room = render.width - 24 - cells(record.context.provider) - level.length - more.length;
  const what = question?.text ?? record.title;
  return spread(line(head, cutMiddle(what, Math.max(8, room))), right, { width: render.width });
}

function helpRows(laterKey: string): readonly Line[] {
  return [
    '   a  run exactly what is shown        d  deny, with an optional reason',
    '   m  edit the shell line first        v  view all details',
    `   r  allow by a rule, shown first     ${laterKey.padEnd(3)}  decide later`,
    '   +  5 more minutes',
  ].map((text) => line(...text.split(/( {2,})/)));
}

function judgedRow(judged: JudgedCommand, render: RenderContext): Line {
  if (!('id' in judged))
    return fit(line('   ', as('danger', 'cannot be approved: '), judged.message), render.width);
  const level = judged.verdict?.level ?? 'warning';
  const [first] = reasonsWorthShowing(judged.verdict);
  return fit(line('   now ', as(level, level), `  ${first?.text ?? ''}`), render.width);
}

function hint(text: string): Line {
  return line(' ', muted(text));
}
