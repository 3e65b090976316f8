import {
  type Approval,
  type AskedAgain,
  type CommandRecord,
  type Effect,
  type Isolation,
  isAtLeast,
  type Level,
} from '@signalbox/core';
import { column, gap, spread, wrap } from '../screen/cells.ts';
import { idLabel } from '../screen/id-labels.ts';
import { as, BLANK, type Line, line, muted, type Role } from '../screen/line.ts';
import { clockTime, type Look, timeOfDay } from '../screen/look.ts';
import { hidesSomething } from '../screen/visible.ts';
import { callText } from './call-text.ts';
import { someOf } from './some-of.ts';
import { claimsText } from './check-view.ts';
import { partsOfDiffRow } from './diff-row.ts';
import { judgedLine, reasonLines } from './verdict-view.ts';

/** What a person is shown who is asked: exactly what would run, and on what grounds. */
export type ApprovalData = Readonly<{
  record: CommandRecord;
  isolation: Isolation | null;
  /** What stands in the file that the call would write; see `callText`. */
  before?: string | null;
  /** `1 of 3` where several wait. */
  place?: Readonly<{ number: number; of: number }>;
  /** Everything, as `v` shows it. */
  full: boolean;
}>;

/** The block without its keys; the same in `run` and `approve`, with and without a live screen. */
export function approvalView(data: ApprovalData, look: Look): readonly Line[] {
  const { record, full } = data;
  const call = callText(record, data.before);
  return [
    headLine(data, look),
    ...againLines(record, look),
    ...(full ? [BLANK] : []),
    ...(call.kind === 'line'
      ? judgedLine(call.text, record.verdict, look, '   ')
      : [
          ...wrap(call.path, Math.max(10, look.width - 3)).map((row) => line('   ', as('bold', row))),
          ...call.rows.flatMap((row) => wrappedDiffRow(row, look)),
          ...reasonLines(record.verdict, look, '   '),
        ]),
    ...hiddenWarning(call.kind === 'line' ? call.text : [call.path, ...call.rows].join('\n'), look),
    ...(full ? [BLANK] : []),
    ...factLines(data, look),
  ];
}

/** Why the same question stands here once more. */
function againLines({ approval }: CommandRecord, look: Look): readonly Line[] {
  const last = approval?.again.at(-1);
  if (last === undefined) return [];
  return wrap(AGAIN[last.because](someOf(last.paths)), Math.max(10, look.width - 4)).map((row) =>
    line('   ', as('warn', row)),
  );
}

const AGAIN: Readonly<Record<AskedAgain['because'], (paths: string) => string>> = {
  files: (paths) => `The call is the same, but ${paths} changed since it was asked: shown again`,
  policy: () => 'The call is the same, but the policy changed since it was asked: shown again',
  call: () => 'A person changed the call: this is another one than was asked first',
};

const BADGE: Readonly<Record<Level, Role>> = {
  safe: 'badge',
  warning: 'badge',
  dangerous: 'badge-danger',
  blocked: 'badge-danger',
};

function headLine({ record, place, before }: ApprovalData, look: Look): Line {
  const level = record.verdict?.level ?? 'warning';
  const left = record.approval?.status === 'pending' ? record.approval.expiresAt - look.now : 0;
  const what = callText(record, before).asksTo;
  return spread(
    line(
      ' ',
      as(BADGE[level], `! ${level.toUpperCase()}`),
      '   ',
      as('bold', record.context.provider),
      ` ${asks(record)} to ${what}`,
    ),
    line(
      muted(place === undefined ? '' : `${place.number} of ${place.of}  `),
      idLabel(record.id, look),
      '   ',
      as(left < 60_000 ? 'danger' : 'warn', `${clockTime(left)} left`),
    ),
    look.width,
  );
}

/** Nobody approves text that hides something without being told so. */
function hiddenWarning(text: string, look: Look): readonly Line[] {
  const suspicious = text.split('\n').some((row) => hidesSomething(row.replaceAll('\t', '  ').trimStart()));
  if (!suspicious) return [];
  const warning = 'the text holds characters that a terminal would hide or reorder; they are written out';
  return wrap(warning, Math.max(10, look.width - 5)).map((row) => line('   ', as('danger', row)));
}

function factLines({ record, isolation, full }: ApprovalData, look: Look): readonly Line[] {
  const { context, ruling, verdict, approval } = record;
  const effects = verdict?.effects ?? [];
  const rows: readonly (readonly [string, string | undefined])[] = [
    ['Says', context.says === undefined ? undefined : `“${context.says}” (${context.provider})`],
    ['Touches', touchesText(effects)],
    ...(verdict === null
      ? []
      : [
          [
            'Claims',
            record.claims.length === 0 ? '' : claimsText({ claims: record.claims, verdict }),
          ] as const,
        ]),
    ['Runs in', isolation === null ? undefined : runsInText(isolation)],
    ['Asked by', ruling === null ? undefined : `rule ${ruling.rule} (${ruling.source}): ${ruling.reason}`],
    ...(full
      ? ([
          ['Task', context.task],
          ['Session', context.sessionId],
          ['Command', record.id],
          ['Call', `${record.call.tool} ${JSON.stringify(record.call.args)}`],
          ['Effects', effects.map((effect) => JSON.stringify(effect)).join(' ')],
        ] as const)
      : []),
    ['Approved', approval === null ? undefined : approvalsText(approval, look)],
    ['Binds', approval === null ? undefined : bindsText(approval, full)],
  ];
  return rows.flatMap(([label, text]) =>
    text === undefined || text === '' ? [] : labelled(label, text, look, full),
  );
}

const LABEL_WIDTH = 9;

/** Two rows at most, unless everything is wanted. */
function labelled(label: string, text: string, look: Look, full: boolean): readonly Line[] {
  const rows = text.split('\n').flatMap((part) => wrap(part, Math.max(10, look.width - LABEL_WIDTH - 4)));
  const shown = full || rows.length <= 2 ? rows : [rows[0] ?? '', `${rows[1] ?? ''} … (v shows all)`];
  return shown.map((row, i) =>
    line('   ', i === 0 ? column(label, LABEL_WIDTH, { role: 'muted' }) : gap(LABEL_WIDTH), row),
  );
}

/** `1 of 2   ✓ ana 12:04:11 (terminal)   one more person, not ana`; nothing where one yes is enough. */
function approvalsText({ approvers, grants }: Approval, look: Look): string | undefined {
  if (approvers < 2) return undefined;
  if (grants.length === 0) return `0 of ${approvers}: two different people must say yes`;
  const given = grants.map(({ by, at }) => `✓ ${by.name} ${timeOfDay(at, look)} (${by.channel})`);
  const names = grants.map(({ by }) => by.name).join(', ');
  return `${grants.length} of ${approvers}   ${given.join('   ')}   one more person, not ${names}`;
}

/** What must not change until the call runs, and what may. */
function bindsText({ callHash, base }: Approval, full: boolean): string {
  const paths = base.files.map(({ path }) => path);
  return [
    `call ${callHash.slice(0, 8)}`,
    ...(paths.length === 0 ? [] : [`${full ? paths.join(', ') : someOf(paths)} as now`]),
    ...(base.unbound.length === 0 ? [] : [`not bound: ${base.unbound.join('; ')}`]),
  ].join(' · ');
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
    ...(has('write-unknown') ? ['writes that are not known before it has run'] : []),
    has('network') ? `network${host.length > 0 ? ` ${host.join(', ')}` : ''}` : 'no network',
    has('secret') ? 'reads secrets' : 'no secrets',
    ...(has('repository-code') ? ['runs code of the workspace'] : []),
    ...(has('privilege') ? ['asks for more rights'] : []),
  ].join(' · ');
}

function runsInText({ layer, fs, net }: Isolation): string {
  if (layer === 'none') return 'no sandbox: you switched it off';
  return `${layer} sandbox, files ${fs.strength}, network ${net.strength}`;
}

/** A row of a diff in full, wrapped. */
function wrappedDiffRow(row: string, look: Look): readonly Line[] {
  const { sign, blanks, text, role } = partsOfDiffRow(row);
  return wrap(text, Math.max(10, look.width - 4 - blanks)).map((part, i) =>
    line('   ', as(role, i === 0 ? sign : ' '), gap(blanks), as(role, part)),
  );
}

/** `you ask`, `openai asks`. */
export function asks({ context }: Pick<CommandRecord, 'context'>): string {
  return context.provider === 'you' ? 'ask' : 'asks';
}

/** The keys below the block. `d`angerous calls need a second key; what can't be approved has no `a`. */
export function approvalKeys(
  record: CommandRecord,
  can: Readonly<{ approve: boolean; change: boolean; remember: boolean; laterKey?: string }>,
): Line {
  const level = record.verdict?.level ?? 'warning';
  const approve =
    level === 'blocked'
      ? muted('[A] never (blocked)')
      : can.approve
        ? as('accent', '[A]pprove')
        : muted('[A] you did');
  return line(
    ' ',
    approve,
    '  ',
    as('accent', '[D]eny'),
    '  ',
    can.change ? as('accent', '[M]odify') : muted('[M] only lines'),
    '  ',
    as('accent', '[V]iew'),
    '  ',
    can.remember ? as('accent', '[R]emember') : muted('[R] never here'),
    '  ',
    as('accent', '[+]5m'),
    '  ',
    as('accent', '[?]'),
    '  ',
    as('accent', `[${can.laterKey ?? 'Esc'}]`),
    ' later',
  );
}

export function needsSecondKey(record: CommandRecord): boolean {
  return isAtLeast(record.verdict?.level ?? 'warning', 'dangerous');
}
