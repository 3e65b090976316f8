import type { ModeState } from '@signalbox/api';
import type { CommandRecord, Member, Mode } from '@signalbox/core';
import { fit, spread } from '../terminal/cells.ts';
import { idLabel } from '../terminal/id-labels.ts';
import { as, type Line, line, muted, type Role } from '../terminal/line.ts';
import { clockTime, dateAndTime, type Look, timeOfDay } from '../terminal/look.ts';
import { wrapLine } from '../terminal/wrap-line.ts';
import { timeLeft } from './time-left.ts';

export type StatusData = Readonly<{
  workspace: string;
  /** Address of the server elsewhere that tells this; null when it is told here. */
  server: string | null;
  mode: ModeState;
  /** Since when a coordinator has the workspace; null when none has. */
  runningSince: number | null;
  counts: Readonly<Record<'running' | 'waiting' | 'done' | 'failed' | 'lost' | 'denied' | 'stale', number>>;
  maxConcurrent: number;
  /** Pending ones, by time left. */
  approvals: readonly CommandRecord[];
  budget: number | null;
  /** Who works here together, on Redis; null where the workspace has one coordinator. */
  members: readonly Member[] | null;
  /** The workspace is in a Redis that is away: this is what a coordinator here last knew. */
  isAway: boolean;
}>;

export const MODE_ROLE: Readonly<Record<Mode, Role>> = {
  NORMAL: 'ok',
  ALERT: 'warn',
  DEGRADED: 'warn',
  RECOVERY: 'warn',
  LOCKDOWN: 'badge-danger',
};

const DAY_MS = 86_400_000;

/** Current activity at a glance. */
export function statusView(data: StatusData, look: Look): readonly Line[] {
  const { counts, approvals } = data;
  return [
    ...wrapLine(
      line(
        as('bold', data.workspace),
        ' · ',
        as(MODE_ROLE[data.mode.mode], data.mode.mode),
        muted(untilOf(data.mode, look)),
        ` · ${backendOf(data)} · ${stateOf(data, look)}`,
      ),
      look.width,
    ),
    ...packed(
      [
        `${counts.running} of ${data.maxConcurrent} running`,
        `${counts.waiting} waiting`,
        `${approvals.length} ${approvals.length === 1 ? 'approval' : 'approvals'}`,
        `${counts.done} done`,
        `${counts.failed} failed`,
        ...(counts.lost === 0 ? [] : [`${counts.lost} lost`]),
        ...(counts.denied === 0 ? [] : [`${counts.denied} denied`]),
        ...(counts.stale === 0 ? [] : [`${counts.stale} stale`]),
        ...(data.budget === null ? [] : [`budget $${data.budget.toFixed(2)}`]),
      ],
      look.width,
    ).map((row) => line(row)),
    ...approvals.flatMap((record) => approvalLines(record, data.server, look)),
    ...(data.members ?? []).flatMap((member) => wrapLine(memberLine(member, look), look.width)),
  ];
}

/** As many of them in a row as fit, in their order. */
function packed(words: readonly string[], width: number): readonly string[] {
  const rows: string[] = [];
  for (const word of words) {
    const last = rows.at(-1);
    const longer = `${last ?? ''}   ${word}`;
    if (last === undefined || longer.length > width) rows.push(word);
    else rows[rows.length - 1] = longer;
  }
  return rows;
}

/** A day or more ahead with its date. */
function untilOf({ back }: ModeState, look: Look): string {
  if (back === undefined) return '';
  const isFar = back.at - look.now >= DAY_MS;
  return ` until ${isFar ? dateAndTime(back.at, look) : timeOfDay(back.at, look)}, then ${back.to}`;
}

function stateOf({ isAway, server, runningSince }: StatusData, look: Look): string {
  if (isAway) return 'not accepting new calls';
  if (server !== null) return 'serves';
  return runningSince === null ? 'server not running' : `up ${clockTime(look.now - runningSince)}`;
}

function backendOf({ members, isAway, server }: StatusData): string {
  if (isAway) return 'Redis unreachable';
  if (server !== null) return new URL(server).host;
  return members === null ? 'embedded' : 'on Redis';
}

function memberLine({ id, kind, host, pid, startedAt, labels, concurrency }: Member, look: Look): Line {
  const places = concurrency === 0 ? 'takes no more' : `${concurrency} at once`;
  const offers = kind === 'worker' ? `, ${places}` : '';
  const labelled = labels.length === 0 ? '' : `, ${labels.join(' ')}`;
  return line(
    '  ',
    muted(`${kind} `),
    id,
    muted(` on ${host}, process ${pid}, up ${clockTime(look.now - startedAt)}${offers}${labelled}`),
  );
}

function approvalLines(record: CommandRecord, server: string | null, look: Look): readonly Line[] {
  const id = idLabel(record.id, look);
  const left = record.approval?.status === 'pending' ? timeLeft(record.approval.expiresAt, look.now) : '';
  return [
    spread(
      line(as('asks', '! '), id, ' ', muted(record.context.provider), '  ', as('bold', record.title)),
      line(as('warn', left)),
      look.width,
    ),
    server === null
      ? fit(
          line(
            '  ',
            as('accent', `signalbox approve ${id}`),
            '      ',
            as('accent', `signalbox deny ${id} -m "…"`),
          ),
          look.width,
        )
      : line('  ', as('accent', `signalbox approve ${id} --server ${server}`)),
  ];
}
