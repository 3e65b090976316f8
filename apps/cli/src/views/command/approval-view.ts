import { claimSourceText, gatesText } from '@signalbox/api';
import {
  type Approval,
  type RepeatedApproval,
  type CallPreview,
  type CommandRecord,
  type Effect,
  isAtLeast,
  type Level,
} from '@signalbox/core';
import { suspectText } from '@signalbox/api';
import { spread, wrap } from '../../terminal/cells.ts';
import { idLabel } from '../../terminal/id-labels.ts';
import { as, BLANK, type Line, line, muted, type TextRole } from '../../terminal/line.ts';
import { clockTime, type RenderContext, timeOfDay } from '../../terminal/render-context.ts';
import { callLines } from './call-lines.ts';
import { callText } from './call-text.ts';
import { someOf } from './some-of.ts';
import { claimsText } from './check-view.ts';
import { factRows } from './fact-rows.ts';
import { questionFacts, questionText } from './question-view.ts';
import { previewLines } from './preview-view.ts';
import { reasonLines } from './verdict-view.ts';

/** What an approver sees: exactly what would run, its effects, and why it needs approval. */
export type ApprovalData = Readonly<{
  record: CommandRecord;
  /** Absent while unknown. */
  preview?: CallPreview | null;
  /** `1 of 3` if several are pending. */
  position?: Readonly<{ number: number; of: number }>;
  /** Everything, as `v` shows it. */
  full: boolean;
}>;

/**
 * The approval without its keys; the same in `run`, `approve` and `watch`: who, the call in a sentence, its exact text,
 * its effects and whether they can be undone, the reasons, who holds its resources, and what led to it.
 */
export function approvalView(data: ApprovalData, render: RenderContext): readonly Line[] {
  const { record, full, preview } = data;
  const question = record.approval?.question;
  if (question !== undefined)
    return [headLine(data, render), ...questionText(question, render), ...questionFacts(record, render)];
  const call = callText(record, preview);
  return [
    headLine(data, render),
    ...againLines(record, render),
    ...(full ? [BLANK] : []),
    ...(preview == null || record.origin !== undefined
      ? []
      : wrap(preview.title, Math.max(10, render.width - 3)).map((row) => line('   ', as('accent', row)))),
    ...callLines(call, data, render),
    ...(full ? [BLANK] : []),
    ...approvalReasons(data, render),
  ];
}

/** The part below the call, if the call is shown already. */
export function approvalReasons(data: ApprovalData, render: RenderContext): readonly Line[] {
  const { record, full, preview } = data;
  if (record.approval?.question !== undefined) return questionFacts(record, render);
  return [
    ...(preview == null ? [] : previewLines(preview, full, render)),
    ...reasonLines(record.verdict, '   ', render),
    ...suspectLines(record, render),
    ...(full ? [BLANK] : []),
    ...factLines(data, render),
  ];
}

/** Why the same call needs approval again. */
function againLines({ approval }: CommandRecord, render: RenderContext): readonly Line[] {
  const last = approval?.again.at(-1);
  if (last === undefined) return [];
  return wrap(AGAIN[last.because](someOf(last.paths)), Math.max(10, render.width - 4)).map((row) =>
    line('   ', as('warn', row)),
  );
}

/** What the model may have made up. */
function suspectLines({ suspects = [] }: CommandRecord, { width }: RenderContext): readonly Line[] {
  return suspects.flatMap((one) =>
    wrap(`Possibly made up: ${suspectText(one)}`, Math.max(10, width - 4)).map((row) =>
      line('   ', as('warn', row)),
    ),
  );
}

const AGAIN: Readonly<Record<RepeatedApproval['because'], (paths: string) => string>> = {
  files: (paths) => `Same call, but ${paths} changed since the request. Review it again`,
  policy: () => 'Same call, but the policy changed since the request. Review it again',
  call: () => 'Edited by a person: this is no longer the original call',
  writes: (paths) =>
    `It ran, and would change ${paths}; none of its changes were applied. Approving runs it again`,
};

const BADGE: Readonly<Record<Level, TextRole>> = {
  safe: 'badge',
  warning: 'badge',
  dangerous: 'badge-danger',
  blocked: 'badge-danger',
};

function headLine({ record, position }: ApprovalData, render: RenderContext): Line {
  const level = record.verdict?.level ?? 'warning';
  const left = record.approval?.status === 'pending' ? record.approval.expiresAt - render.now : 0;
  const isQuestion = record.approval?.question !== undefined;
  const badge = isQuestion ? as('badge', '? QUESTION') : as(BADGE[level], `! ${level.toUpperCase()}`);
  const what = isQuestion ? 'asks you' : `${wants(record)} to ${callText(record).wantsTo}`;
  return spread(
    line(' ', badge, '   ', as('bold', record.context.provider), ` ${what}`),
    line(
      muted(position === undefined ? '' : `${position.number} of ${position.of}  `),
      idLabel(record.id, render),
      '   ',
      as(left < 60_000 ? 'danger' : 'warn', `${clockTime(left)} left`),
    ),
    { width: render.width },
  );
}

function factLines(data: ApprovalData, render: RenderContext): readonly Line[] {
  const { record, full } = data;
  const { context, ruling, verdict, approval } = record;
  const effects = verdict?.effects ?? [];
  const rows: readonly (readonly [string, string | undefined])[] = [
    ['Touches', touchesText(effects)],
    ...(verdict === null
      ? []
      : [
          [
            'Claims',
            record.claims.length === 0 ? '' : claimsText({ claims: record.claims, verdict }),
          ] as const,
        ]),
    ['Rule', ruling === null ? undefined : `${ruling.rule} (${ruling.source}): ${ruling.reason}`],
    ['Judged', gatesText(record)],
    ['Source', claimSourceText(record)],
    ...(data.preview?.neighbours ?? []).map(
      ({ resource, provider, title, relation }) =>
        [relation === 'holds' ? 'Held' : 'Awaited', `${resource} by ${provider}: ${title}`] as const,
    ),
    ['Says', context.says === undefined ? undefined : `“${context.says}” (${context.provider})`],
    ...(full
      ? ([
          ['Task', context.task],
          ['Session', context.sessionId],
          ['Command', record.id],
          ['Call', `${record.call.tool} ${JSON.stringify(record.call.args)}`],
          ['Effects', effects.map(effectText).join(' · ')],
        ] as const)
      : []),
    ['Approved', approval === null ? undefined : approvalsText(approval, render)],
    ['Covers', approval === null ? undefined : coversText(approval, full)],
  ];
  return rows.flatMap(([label, text]) =>
    text === undefined || text === '' ? [] : factRows(label, text, { render, full }),
  );
}

/** `1 of 2   ✓ ana 12:04:11 (terminal)   one more approver, not ana`; empty if one approval is enough. */
function approvalsText({ approvers, grants }: Approval, render: RenderContext): string | undefined {
  if (approvers < 2) return undefined;
  if (grants.length === 0) return `0 of ${approvers}: needs two different approvers`;
  const given = grants.map(({ by, at }) => `✓ ${by.name} ${timeOfDay(at, render)} (${by.channel})`);
  const names = grants.map(({ by }) => by.name).join(', ');
  return `${grants.length} of ${approvers}   ${given.join('   ')}   one more approver, not ${names}`;
}

/** What must not change until the call runs, and what may. */
function coversText({ callHash, base }: Approval, full: boolean): string {
  const paths = base.files.map(({ path }) => path);
  return [
    `this exact call (${callHash.slice(0, 8)})`,
    ...(paths.length === 0 ? [] : [`${full ? paths.join(', ') : someOf(paths)} unchanged`]),
    ...(base.unbound.length === 0 ? [] : [`not checked for changes: ${base.unbound.join('; ')}`]),
  ].join(' · ');
}

/** `write src/a.ts`, `network example.com`. */
function effectText(effect: Effect): string {
  const { kind } = effect;
  switch (kind) {
    case 'read':
    case 'write':
    case 'delete':
      return `${kind} ${effect.path}${effect.scope === 'tree' ? ' and below' : ''}`;
    case 'network':
      return `${kind} ${effect.host ?? 'unknown hosts'}`;
    case 'process':
    case 'privilege':
      return `${kind} ${effect.program}`;
    case 'secret':
      return `${kind} ${effect.path}`;
    case 'resource':
      return `${effect.access} ${effect.resource}`;
    case 'write-unknown':
      return 'writes unknown until it runs';
    case 'repository-code':
      return 'runs workspace code';
  }
}

function touchesText(effects: readonly Effect[]): string {
  const paths = (kind: 'write' | 'delete'): readonly string[] =>
    effects.flatMap((effect) => (effect.kind === kind ? [effect.path] : []));
  const named = (word: string, list: readonly string[]): readonly string[] =>
    list.length === 0
      ? []
      : [`${word} ${list.slice(0, 6).join(', ')}${list.length > 6 ? ` and ${list.length - 6} more` : ''}`];
  const has = (kind: Effect['kind']): boolean => effects.some((effect) => effect.kind === kind);
  const host = effects.flatMap((effect) =>
    effect.kind === 'network' && effect.host !== undefined ? [effect.host] : [],
  );
  return [
    ...named('delete', paths('delete')),
    ...named('write', paths('write')),
    ...(has('write-unknown') ? ['writes unknown until it runs'] : []),
    has('network') ? `network${host.length > 0 ? ` ${host.join(', ')}` : ''}` : 'no network',
    has('secret') ? 'reads secrets' : 'no secrets',
    ...(has('repository-code') ? ['runs workspace code'] : []),
    ...(has('privilege') ? ['escalates privileges'] : []),
  ].join(' · ');
}

/** `you want`, `openai wants`. */
export function wants({ context }: Pick<CommandRecord, 'context'>): string {
  return context.provider === 'you' ? 'want' : 'wants';
}

/** The keys below the approval that apply to this call. A dangerous call needs a second key. */
export function approvalKeys(
  record: CommandRecord,
  can: Readonly<{ approve: boolean; change: boolean; remember: boolean; laterKey?: string }>,
): Line {
  const isBlocked = record.verdict?.level === 'blocked';
  const approve = isBlocked
    ? muted('Blocked: can’t be approved')
    : can.approve
      ? as('accent', '[A]pprove')
      : muted('[A] you approved');
  const key = (text: string): Line => line('  ', as('accent', text));
  return line(
    ' ',
    approve,
    key('[D]eny'),
    ...(can.change ? [key('[M]odify')] : []),
    key('[V]iew'),
    ...(can.remember ? [key('[R]emember')] : []),
    key('[+]5m'),
    key('[?]'),
    key(`[${can.laterKey ?? 'Esc'}]`),
    ' later',
  );
}

export function needsSecondKey(record: CommandRecord): boolean {
  return isAtLeast(record.verdict?.level ?? 'warning', 'dangerous');
}
