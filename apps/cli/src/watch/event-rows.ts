import type { CommandSummary } from '@signalbox/api';
import { type Event, shortId } from '@signalbox/core';
import { column, fit } from '../screen/cells.ts';
import { GLANCES, type Glance, glanceOfFailure, iconCell } from '../screen/icon.ts';
import { as, type Line, line, muted } from '../screen/line.ts';
import { type Look, timeOfDay } from '../screen/look.ts';
import { sessionGlance } from '../views/session-word.ts';
import { passes, type LaneFilter } from './lane-filter.ts';
import type { WatchState } from './watch-state.ts';

type EventsSeen = Pick<WatchState, 'events' | 'commands'>;

type Told = Readonly<{ glance: Glance; word: string; note: string }>;

/** An event that is worth a row, and how often it came in a row. */
type Row = Readonly<{ event: Event; told: Told; times: number }>;

/** The last events that are worth a row, at most so many, oldest first; readings that repeat share one. */
export function eventRows(
  of: EventsSeen,
  filter: LaneFilter,
  most: number,
  look: Look,
  form: 'whole' | 'short' = 'whole',
): readonly Line[] {
  return lastRows(of, filter, most)
    .toReversed()
    .map((row) => fit(form === 'short' ? shortRow(row) : eventRow(row, look), look.width));
}

/** Newest first. */
function lastRows(of: EventsSeen, filter: LaneFilter, most: number): readonly Row[] {
  const rows: Row[] = [];
  for (const event of of.events.toReversed()) {
    const told = toldOf(event, of);
    if (told === null || !isWanted(event, told, of, filter)) continue;
    const newer = rows.at(-1);
    if (newer !== undefined && isRepeated(event, newer)) {
      rows[rows.length - 1] = { ...newer, times: newer.times + 1 };
    } else {
      if (rows.length === most) break;
      rows.push({ event, told, times: 1 });
    }
  }
  return rows;
}

/** The same completed call of the same provider; what failed, was refused or asked stands by itself always. */
function isRepeated(event: Event, { event: newer }: Row): boolean {
  return (
    event.type === 'command_completed' &&
    newer.type === 'command_completed' &&
    event.provider === newer.provider &&
    event.tool === newer.tool &&
    event.title === newer.title
  );
}

function isWanted(event: Event, { word }: Told, of: EventsSeen, filter: LaneFilter): boolean {
  if (!('provider' in event)) return true;
  return passes(filter, {
    provider: event.provider,
    state: word,
    title: 'title' in event ? event.title : '',
    level: 'commandId' in event ? (of.commands.get(event.commandId)?.level ?? null) : null,
  });
}

function eventRow({ event, told: { glance, word, note }, times }: Row, look: Look): Line {
  const title = 'title' in event ? event.title : '';
  return line(
    muted(`  ${timeOfDay(event.at, look)}  `),
    column('provider' in event ? event.provider : '', 11, { role: 'muted', cut: 'middle' }),
    ' ',
    iconCell(glance),
    'commandId' in event ? `${shortId(event.commandId)} ` : '',
    as(glance.role, word),
    ` ${title}`,
    muted(timesText(times)),
    muted(note === '' ? '' : `   ${note}`),
  );
}

/** Where it is plain whose it is, and that it is over. */
function shortRow({ event, told: { glance, note }, times }: Row): Line {
  return line(
    iconCell(glance),
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

/** Null for what the lanes show by themselves. */
function isOpen(command: CommandSummary | undefined): boolean {
  return command !== undefined && command.state !== 'done';
}

function toldOf(event: Event, { commands }: Pick<EventsSeen, 'commands'>): Told | null {
  const { completed, failed, refused, cancelled, asks, waiting, running } = GLANCES;
  switch (event.type) {
    case 'approval_requested':
      return { glance: asks, word: 'asks', note: event.reason };
    case 'approval_counted':
      return {
        glance: asks,
        word: 'counted',
        note: `${event.by.name}, ${event.given} of ${event.approvers}`,
      };
    case 'approval_overdue':
      return { glance: waiting, word: 'paused', note: 'nobody answered in time; it can still be answered' };
    case 'command_prioritized':
      return { glance: waiting, word: 'priority', note: `${event.priority}, by ${event.by}` };
    case 'approval_extended':
      return { glance: asks, word: 'extended', note: `by ${event.by.name}` };
    case 'command_approved':
      if (event.by === 'auto') return null;
      return { glance: completed, word: 'approved', note: `by ${event.by.name}` };
    case 'command_queued':
      if (event.blockers.length === 0) return null;
      return {
        glance: waiting,
        word: 'queued',
        note: `behind ${event.blockers.map((id) => shortId(id)).join(', ')}`,
      };
    case 'command_started':
      // Of what has ended its ending tells enough.
      return isOpen(commands.get(event.commandId)) ? { glance: running, word: 'runs', note: '' } : null;
    case 'command_completed':
      return { glance: completed, word: 'completed', note: event.exitCode ? `exit ${event.exitCode}` : '' };
    case 'command_failed':
      return { glance: glanceOfFailure(event.outcome), word: event.outcome, note: event.message };
    case 'command_denied':
      return { glance: refused, word: event.outcome, note: event.reason };
    case 'command_cancelled':
      return { glance: cancelled, word: 'cancelled', note: event.reason };
    case 'command_rolled_back':
      return { glance: failed, word: 'rolled back', note: event.reason };
    case 'network_connection':
      return event.outcome === 'refused'
        ? { glance: refused, word: 'network', note: event.why ?? event.target }
        : null;
    case 'session_started':
      return { glance: running, word: 'begins', note: event.task };
    case 'session_ended': {
      const glance = sessionGlance(event.finish);
      return { glance, word: `session ${glance.word}`, note: event.message };
    }
    case 'turn_failed':
      return { glance: failed, word: 'turn failed', note: event.message };
    case 'mode_changed':
      return {
        glance: asks,
        word: 'mode',
        note: `${event.from} > ${event.to} by ${event.by}: ${event.reason}`,
      };
    case 'coordinator_started':
      return { glance: completed, word: 'coordinator started', note: '' };
    case 'coordinator_stopped':
      return { glance: cancelled, word: 'coordinator stopped', note: '' };
    case 'warning_raised':
      return { glance: failed, word: 'warning', note: event.message };
    case 'warning_cleared':
      return { glance: completed, word: 'cleared', note: event.message };
    case 'turns_requested':
      return {
        glance: asks,
        word: 'out of turns',
        note: `used ${event.turns}; the dashboard or its run gives more`,
      };
    case 'turns_granted':
      return {
        glance: event.turns > 0 ? completed : cancelled,
        word: `${event.turns} more turns`,
        note: `by ${event.by}`,
      };
    case 'run_started':
      return { glance: running, word: 'run begins', note: `by ${event.by}` };
    case 'run_ended':
      return {
        glance: completed,
        word: 'run ended',
        note: event.stoppedBy === null ? '' : `stopped by ${event.stoppedBy}`,
      };
    case 'command_submitted':
    case 'command_classified':
    case 'command_output':
    case 'turn_started':
    case 'turn_ended':
    case 'tool_call_start':
    case 'tool_call_result':
      return null;
    default:
      // A type that is missing above does not compile; one of a newer server is not shown.
      event satisfies never;
      return null;
  }
}
