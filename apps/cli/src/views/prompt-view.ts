import type { Approver } from '@signalbox/core';
import { isApprovable, type Judged, type PromptState } from '../run/approval-prompt.ts';
import { cells, cutMiddle, fit, spread } from '../screen/cells.ts';
import { idLabel } from '../screen/id-labels.ts';
import { as, type Line, line, muted } from '../screen/line.ts';
import { type Look } from '../screen/look.ts';
import { approvalKeys, asks, needsSecondKey } from './approval-view.ts';
import { shellLineOf } from './call-text.ts';
import { rememberView } from './remember-view.ts';
import { timeLeft } from './time-left.ts';
import { typedRow } from './typed-row.ts';
import { reasonsWorthShowing } from './verdict-view.ts';

export type PromptWorld = Readonly<{
  /** How many questions wait, this one counted. */
  waiting: number;
  remembers: boolean;
  me: Approver;
  /** The key that leaves it for later; default: `Esc`. */
  laterKey?: string;
}>;

/** The question in the live region: two or three rows. The whole block stands above, in the scrollback. */
export function promptView(
  state: PromptState,
  { waiting, remembers, me, laterKey = 'Esc' }: PromptWorld,
  look: Look,
): readonly Line[] {
  const { record, at, never } = state;
  const id = idLabel(record.id, look);
  switch (at.step) {
    case 'asking':
      return [
        askingRow(state, waiting, look),
        ...(at.help ? helpRows(laterKey) : []),
        ...(never === undefined ? [] : [fit(line('   ', as('warn', 'no rule: '), never), look.width)]),
        fit(
          approvalKeys(record, {
            approve: record.approval?.grants.every(({ by }) => by.name !== me.name) !== false,
            change: shellLineOf(record.call) !== undefined,
            remember: remembers && never === undefined && !needsSecondKey(record),
            laterKey,
          }),
          look.width,
        ),
      ];
    case 'confirming':
      return [
        ...(at.changed === null ? [] : [fit(line('   ', as('bold', at.changed.line)), look.width)]),
        line(as('badge-danger', ` Approve ${id}? `), ' ', as('accent', '↵'), ' yes, any other key no'),
      ];
    case 'reason':
      return [
        typedRow(` Tell ${record.context.provider} why (may be empty): `, at.text, look),
        hint('↵ deny   Esc back'),
      ];
    case 'editing':
      return [
        typedRow('   ', at.text, look),
        ...(at.judged === null ? [] : [judgedRow(at.judged, look)]),
        hint(`Modify ${id}   ↵ have it judged   Esc back`),
      ];
    case 'judged':
      return [
        fit(line('   ', as('bold', at.line)), look.width),
        judgedRow(at.judged, look),
        line(
          ' ',
          isApprovable(at.judged) ? as('accent', '[A]pprove changed line') : muted('[A] never'),
          '   ',
          as('accent', '[E]dit on'),
          '   ',
          as('accent', '[D]eny both'),
        ),
      ];
    case 'remembering':
      return rememberView(at.remember, id, look);
    case 'gone':
      return [
        fit(
          line(' ', as('warn', `${id} is no longer this question: it was answered, changed or expired.`)),
          look.width,
        ),
        fit(
          line(' ', muted('Nothing of what you typed was sent.  '), as('accent', 'Esc'), muted(' goes on')),
          look.width,
        ),
      ];
  }
}

function askingRow({ record }: PromptState, waiting: number, look: Look): Line {
  const left = record.approval?.status === 'pending' ? record.approval.expiresAt - look.now : 0;
  const { approvers = 1, grants = [] } = record.approval ?? {};
  const given = approvers > 1 ? `  approved ${grants.length} of ${approvers}` : '';
  const more = `${given}${waiting > 1 ? `  1 of ${waiting}` : ''}`;
  const right = line(
    muted(more),
    '  ',
    as(left < 60_000 ? 'danger' : 'warn', timeLeft(look.now + left, look.now)),
  );
  const level = record.verdict?.level ?? 'warning';
  const head = line(
    ' ',
    as('asks', '!'),
    ' ',
    as('bold', record.context.provider),
    ` ${asks(record)} `,
    muted(idLabel(record.id, look)),
    ' ',
    as(level, level),
    '  ',
  );
  const room = look.width - 24 - cells(record.context.provider) - level.length - more.length;
  return spread(line(head, cutMiddle(record.title, Math.max(8, room))), right, look.width);
}

function helpRows(laterKey: string): readonly Line[] {
  return [
    '   a  it runs, exactly as shown        d  it does not run; you may say why',
    '   m  change the shell line first      v  everything that is known of it',
    `   r  make a rule of it, shown first   ${laterKey.padEnd(3)}  decide nothing: it waits`,
  ].map((text) => line(...text.split(/( {2,})/)));
}

function judgedRow(judged: Judged, look: Look): Line {
  if (!('id' in judged))
    return fit(line('   ', as('danger', 'cannot be approved: '), judged.message), look.width);
  const level = judged.verdict?.level ?? 'warning';
  const [first] = reasonsWorthShowing(judged.verdict);
  return fit(line('   now ', as(level, level), `  ${first?.text ?? ''}`), look.width);
}

function hint(text: string): Line {
  return line(' ', muted(text));
}
