import { type CommandSummary, eventText, exitCodeText, inSentence } from '@signalbox/api';
import { type Event, shortId } from '@signalbox/core';
import { column, fit } from '../../../terminal/cells.ts';
import {
  STATUS_ICONS,
  type StatusIcon,
  iconOfAnswer,
  iconOfFailure,
  iconCell,
} from '../../../terminal/icon.ts';
import { as, type Line, line, muted } from '../../../terminal/line.ts';
import { type RenderContext, timeOfDay } from '../../../terminal/render-context.ts';
import { sessionIcon } from '../../../views/session-word.ts';
import { passes, type LanePredicate } from './lane-filter.ts';
import type { WatchState } from './watch-state.ts';

type EventsSeen = Pick<WatchState, 'events' | 'commands'>;

type Reported = Readonly<{ status: StatusIcon; word: string; note: string }>;

/** An event worth a row, and how often it was repeated. */
type Row = Readonly<{ event: Event; reported: Reported; times: number }>;

/** The last events worth a row, up to that many, oldest first; repeated reads share one. */
export function eventRows(
  of: EventsSeen,
  filter: LanePredicate,
  { max, render, form = 'whole' }: Readonly<{ max: number; render: RenderContext; form?: 'whole' | 'short' }>,
): readonly Line[] {
  return lastRows(of, filter, { max })
    .toReversed()
    .map((row) => fit(form === 'short' ? shortRow(row) : eventRow(row, render), render.width));
}

/** Newest first. */
function lastRows(of: EventsSeen, filter: LanePredicate, { max }: Readonly<{ max: number }>): readonly Row[] {
  const rows: Row[] = [];
  for (const event of of.events.toReversed()) {
    const reported = reportedBy(event, of);
    if (reported === null || !isWanted(event, reported, { of, filter })) continue;
    const newer = rows.at(-1);
    if (newer !== undefined && isRepeated(event, newer)) {
      rows[rows.length - 1] = { ...newer, times: newer.times + 1 };
    } else {
      if (rows.length === max) break;
      rows.push({ event, reported, times: 1 });
    }
  }
  return rows;
}

/** The same completed call of the same provider; failures, denials and approvals are never merged. */
function isRepeated(event: Event, { event: newer }: Row): boolean {
  return (
    event.type === 'command_completed' &&
    newer.type === 'command_completed' &&
    event.provider === newer.provider &&
    event.tool === newer.tool &&
    event.title === newer.title
  );
}

function isWanted(
  event: Event,
  { word }: Reported,
  { of, filter }: Readonly<{ of: EventsSeen; filter: LanePredicate }>,
): boolean {
  if (!('provider' in event)) return true;
  return passes(filter, {
    provider: event.provider,
    states: [word],
    title: 'title' in event ? event.title : '',
    level: 'commandId' in event ? (of.commands.get(event.commandId)?.level ?? null) : null,
  });
}

function eventRow({ event, reported: { status, word, note }, times }: Row, render: RenderContext): Line {
  const title = 'title' in event ? event.title : '';
  return line(
    muted(`  ${timeOfDay(event.at, render)}  `),
    column('provider' in event ? event.provider : '', 11, { role: 'muted', cut: 'middle' }),
    ' ',
    iconCell(status),
    'commandId' in event ? `${shortId(event.commandId)} ` : '',
    as(status.role, word),
    ` ${title}`,
    muted(timesText(times)),
    muted(note === '' ? '' : `   ${note}`),
  );
}

/** Shorter: the lane's provider and the end of the command are obvious. */
function shortRow({ event, reported: { status, note }, times }: Row): Line {
  return line(
    iconCell(status),
    'commandId' in event ? `${shortId(event.commandId)} ` : '',
    'title' in event ? event.title : '',
    muted(timesText(times)),
    muted(note === '' ? '' : ` ${note}`),
  );
}

/** ` ×38` */
function timesText(times: number): string {
  return times === 1 ? '' : ` ×${times}`;
}

function isOpen(command: CommandSummary | undefined): boolean {
  return command !== undefined && command.state !== 'done';
}

function reportedBy(event: Event, { commands }: Pick<EventsSeen, 'commands'>): Reported | null {
  if (isShownByLanes(event, commands)) return null;
  const text = eventText(event, ({ blockers }) => blockers.map((id) => shortId(id)).join(', '));
  return text === null ? null : { status: iconOfEvent(event), word: inSentence(text.word), note: text.note };
}

/** The lane already shows that a rule allowed a call or that it is next, and the end of a command says enough. */
function isShownByLanes(event: Event, commands: EventsSeen['commands']): boolean {
  if (event.type === 'command_approved') return event.by === 'auto';
  if (event.type === 'command_queued') return event.blockers.length === 0;
  return event.type === 'command_started' && !isOpen(commands.get(event.commandId));
}

function iconOfEvent(event: Event): StatusIcon {
  if (event.type === 'command_completed') return iconOfAnswer(exitCodeText(event.exitCode));
  if (event.type === 'command_failed') return iconOfFailure(event.outcome);
  if (event.type === 'approval_requested' && event.question !== undefined) return STATUS_ICONS.question;
  if (event.type === 'session_ended') return sessionIcon(event.finish);
  if (event.type === 'turns_granted' && event.turns === 0) return STATUS_ICONS.cancelled;
  return ICON_OF[event.type] ?? STATUS_ICONS.completed;
}

const { failed, refused, cancelled, asks, waiting, running } = STATUS_ICONS;

/** All others look completed. */
const ICON_OF: Readonly<Partial<Record<Event['type'], StatusIcon>>> = {
  approval_requested: asks,
  approval_counted: asks,
  approval_extended: asks,
  mode_changed: asks,
  turns_requested: asks,
  session_waiting: asks,
  approval_overdue: waiting,
  command_prioritized: waiting,
  command_queued: waiting,
  command_started: running,
  session_started: running,
  session_resumed: running,
  run_started: running,
  command_denied: refused,
  network_connection: refused,
  command_cancelled: cancelled,
  coordinator_stopped: cancelled,
  command_rolled_back: failed,
  turn_failed: failed,
  warning_raised: failed,
};
