import {
  claimSourceText,
  filteredText,
  gatesText,
  NETWORK_REMEDY,
  reasonsUnder,
  refusedIn,
  reportRows,
  reportText,
  reuseText,
  suspectText,
} from '@signalbox/api';
import type { CommandRecord } from '@signalbox/core';
import { gap, wrap } from '../../terminal/cells.ts';
import { statusIconOf, iconCell } from '../../terminal/icon.ts';
import { idLabel } from '../../terminal/id-labels.ts';
import { as, type Line, line, muted } from '../../terminal/line.ts';
import { duration, type RenderContext, plural, timeOfDay } from '../../terminal/render-context.ts';
import { callText } from './call-text.ts';
import { shellLineOf } from '../../runtime/contract/shell-line.ts';
import { diffRow } from './diff-row.ts';
import { killedBy, ownExitCode } from './own-exit-code.ts';
import { refusedText } from './refused-connections.ts';
import { timeLeft } from './time-left.ts';

/** Rows of a change that `status ID` shows; a scrolling screen shows all. */
const MAX_CHANGED = 8;
/** Files named; after a package installation nobody reads more. */
const MAX_FILES = 10;

/**
 * Everything known about one command: `signalbox status ID`.
 *
 * @param of `waitsFor`: its blockers, in words
 */
export function commandView(
  record: CommandRecord,
  render: RenderContext,
  {
    waitsFor = '',
    maxChanged: mostChanged = MAX_CHANGED,
    maxFiles: mostFiles = MAX_FILES,
  }: Readonly<{ waitsFor?: string; maxChanged?: number; maxFiles?: number }> = {},
): readonly Line[] {
  const { result, ruling, verdict, lease } = record;
  const call = callText(record);
  const rows: readonly (readonly [string, string | null | undefined])[] = [
    ['Call', call.kind === 'change' ? `${record.call.tool} ${call.path}` : argumentsText(record)],
    ['Runs in', call.kind === 'line' ? call.cwd : call.kind === 'call' ? call.origin?.confinement : null],
    ['Waits', waitsFor],
    ['From', `${record.context.provider}, session ${record.context.sessionId}`],
    ['Task', record.context.task],
    ['Says', record.context.says],
    [
      'Verdict',
      verdict === null
        ? null
        : [
            verdict.level,
            reasonsUnder(ruling, verdict)
              .map(({ text }) => text)
              .join('; '),
          ]
            .filter((text) => text !== '')
            .join(': '),
    ],
    [
      'Ruling',
      ruling === null ? null : `${ruling.kind} by rule ${ruling.rule} (${ruling.source}): ${ruling.reason}`,
    ],
    ['Judged', gatesText(record)],
    ['Source', claimSourceText(record)],
    ['Made up?', record.suspects?.map(suspectText).join('; ')],
    ['Approval', approvalText(record, render)],
    ['Claims', record.claims.map(({ access, resource }) => `${access} ${resource}`).join(', ')],
    ['Fencing', lease === null ? null : String(lease.fencingToken)],
    ['Ended', endedText(record)],
    ['Reused', reuseText(result?.reusedFrom)],
    ['Times', timesText(record, render)],
    ['Model', result?.filtered === undefined ? null : filteredText(result.filtered)],
    ['Failure', result?.failure === null ? null : result?.failure.message],
    [
      'Network',
      [refusedText(result), ...(result?.offline?.slice(0, 1) ?? [])].filter((text) => text !== '').join('; '),
    ],
  ];
  const labelled = (label: string, text: string | null | undefined): readonly Line[] =>
    text === null || text === undefined || text === '' ? [] : besideLabel(label, text, render);
  return [
    line(
      iconCell(statusIconOf(record)),
      as('bold', record.title),
      muted(`  ${record.id} · ${result?.outcome.kind ?? record.state}`),
    ),
    ...rows.flatMap(([label, text]) => labelled(label, text)),
    ...reportLines(record, render),
    ...filesRows(record, mostFiles, render),
    ...labelled('Next', nextOf(record, render)),
    ...(call.kind === 'change' ? changedRows(call.rows, mostChanged) : []),
  ];
}

/** The line of a shell call; for other tools the arguments by name. */
function argumentsText(record: CommandRecord): string {
  const { call } = record;
  const shellLine = shellLineOf(record);
  if (shellLine !== undefined) return shellLine;
  const named = Object.entries(call.args).map(
    ([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  return [call.tool, named.join(', ')].filter((part) => part !== '').join('  ');
}

function changedRows(rows: readonly string[], max: number): readonly Line[] {
  const more = rows.length - max;
  return [
    ...rows.slice(0, max).map((row) => line('  ', gap(LABEL), diffRow(row))),
    ...(more > 0 ? [line('  ', gap(LABEL), muted(`… ${plural(more, 'more row')}`))] : []),
  ];
}

/** Rows of failures; `status ID --json` has more. */
const MAX_FINDINGS = 10;

/** What its tests or linter reported: the counts, then the first failures. */
function reportLines({ result }: CommandRecord, render: RenderContext): readonly Line[] {
  const report = result?.report;
  if (result === null || report === undefined) return [];
  const rows = [reportText(report), ...reportRows(result, MAX_FINDINGS)];
  const label = report.kind === 'tests' ? 'Tests' : 'Findings';
  return rows.flatMap((text, at) => besideLabel(at === 0 ? label : '', text, render));
}

/** Its changes, one row per file. */
function filesRows({ id, result }: CommandRecord, max: number, render: RenderContext): readonly Line[] {
  const files = result?.files ?? [];
  const more = files.length - max;
  return [
    ...files
      .slice(0, max)
      .flatMap(({ path, kind }, at) => besideLabel(at === 0 ? 'Files' : '', `${kind} ${path}`, render)),
    ...(more > 0
      ? [line('  ', gap(LABEL), muted(`and ${more} more: signalbox diff --stat ${idLabel(id, render)}`))]
      : []),
  ];
}

const LABEL = 9;
/** A longer text, such as a whole written file, is wrapped by the terminal. */
const LONGEST_WRAPPED = 2000;

function besideLabel(label: string, text: string, { width }: RenderContext): readonly Line[] {
  const room = width - LABEL - 2;
  const rows = width === Infinity || text.length > LONGEST_WRAPPED ? [text] : wrap(text, Math.max(20, room));
  return rows.map((row, i) =>
    line('  ', i === 0 && label !== '' ? muted(label.padEnd(LABEL)) : gap(LABEL), row),
  );
}

/** `exit 1 after 2.4 s`; empty if it never ran or was lost. */
function endedText({ result, startedAt }: CommandRecord): string | null {
  if (result?.reusedFrom !== undefined) return null;
  if (result === null || startedAt === null || result.outcome.kind === 'lost') return null;
  const exitCode = ownExitCode(result);
  return `${exitCode === null ? '' : `exit ${exitCode} `}after ${duration(result.durationMs)}`;
}

/** The next step, if the user still has one. */
function nextOf({ id, state, result }: CommandRecord, render: RenderContext): string | null {
  const label = idLabel(id, render);
  if (state === 'awaiting_approval') return `signalbox approve ${label}, or signalbox deny ${label} -m "…"`;
  const killed = killedBy(result);
  if (killed !== null) return killed.suggestion ?? null;
  if (result?.outcome.kind !== 'lost')
    return refusedIn(result).length > 0 ? NETWORK_REMEDY : (result?.offline?.slice(1).join('. ') ?? null);
  return `check what it did first: signalbox diff ${label}, signalbox output ${label}; Signalbox never re-runs it`;
}

function approvalText({ approval, result }: CommandRecord, render: RenderContext): string | null {
  switch (approval?.status) {
    case undefined:
      return null;
    case 'pending':
      if (result !== null) return 'finished before it was answered';
      return `pending, ${timeLeft(approval.expiresAt, render.now)}, call ${approval.callHash.slice(0, 8)}`;
    case 'granted':
      return `approved by ${approval.by.name} (${approval.by.channel}) at ${timeOfDay(approval.answeredAt, render)}`;
    case 'refused':
      return `denied by ${approval.by.name} at ${timeOfDay(approval.answeredAt, render)}: ${approval.reason ?? 'no reason given'}`;
    case 'expired':
      return `expired at ${timeOfDay(approval.expiresAt, render)}`;
  }
}

function timesText(record: CommandRecord, render: RenderContext): string {
  const at = (label: string, time: number | null): readonly string[] =>
    time === null ? [] : [`${label} ${timeOfDay(time, render)}`];
  return [
    ...at('submitted', record.submittedAt),
    ...at('queued', record.queuedAt),
    ...at('started', record.startedAt),
    ...at('ended', record.endedAt),
  ].join(' · ');
}
