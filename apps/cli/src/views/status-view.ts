import type { ModeView, StatusView } from '@signalbox/api';
import type { CommandRecord, NodeRecord, Mode } from '@signalbox/core';
import { fit, spread } from '../terminal/cells.ts';
import { idLabel } from '../terminal/id-labels.ts';
import { as, type Line, line, muted, type TextRole } from '../terminal/line.ts';
import { clockTime, dateAndTime, type RenderContext, timeOfDay } from '../terminal/render-context.ts';
import { wrapLine } from '../terminal/wrap-line.ts';
import { timeLeft } from './command/time-left.ts';

export type StatusData = Readonly<{
  workspace: string;
  /** Address of the server elsewhere that reports this; null if it is local. */
  server: string | null;
  mode: ModeView;
  /** Since when a coordinator has had the workspace; null without one. */
  runningSince: number | null;
  counts: Readonly<Record<'running' | 'waiting' | 'done' | 'failed' | 'lost' | 'denied' | 'stale', number>>;
  maxConcurrent: number;
  /** Pending ones, by time left. */
  approvals: readonly CommandRecord[];
  budget: number | null;
  /** Null while the tool filter is off. */
  toolFilter: StatusView['toolFilter'];
  /** Null while calls are not judged by a model. */
  judge: StatusView['judge'];
  /** All nodes on Redis; null if the workspace has one coordinator. */
  members: readonly NodeRecord[] | null;
  /** The workspace's Redis is unreachable: this is what a coordinator here last knew. */
  isAway: boolean;
}>;

export const MODE_ROLE: Readonly<Record<Mode, TextRole>> = {
  NORMAL: 'ok',
  ALERT: 'warn',
  DEGRADED: 'warn',
  RECOVERY: 'warn',
  LOCKDOWN: 'badge-danger',
};

const DAY_MS = 86_400_000;

/** Current activity at a glance. */
export function statusView(data: StatusData, render: RenderContext): readonly Line[] {
  const { counts, approvals } = data;
  return [
    ...wrapLine(
      line(
        as('bold', data.workspace),
        ' · ',
        as(MODE_ROLE[data.mode.mode], data.mode.mode),
        muted(untilOf(data.mode, render)),
        ` · ${backendOf(data)} · ${stateOf(data, render)}`,
      ),
      render.width,
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
      render.width,
    ).map((row) => line(row)),
    ...(data.toolFilter === null ? [] : [line(muted(filterText(data.toolFilter)))]),
    ...(data.judge === null ? [] : [line(muted(judgeText(data.judge)))]),
    ...approvals.flatMap((record) => approvalLines(record, data.server, render)),
    ...(data.members ?? []).flatMap((member) => wrapLine(nodeLine(member, render), render.width)),
  ];
}

/** In the specification's form (S001-79). */
function filterText({ topK, alwaysOn, embeddings }: NonNullable<StatusData['toolFilter']>): string {
  return `Filter: top_k=${topK}, always_on=${alwaysOn}, embeddings=${embeddings}`;
}

/** The gate's state (S001-119). */
function judgeText({ provider, policies, failOpen, shadow }: NonNullable<StatusData['judge']>): string {
  const only = shadow ? ', shadow=true' : '';
  return `Adversarial policy: provider=${provider}, policies=${policies}, fail_open=${failOpen}${only}`;
}

/** As many per row as fit, in order. */
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

/** With its date if a day or more ahead. */
function untilOf({ back }: ModeView, render: RenderContext): string {
  if (back === undefined) return '';
  const isNotToday = back.at - render.now >= DAY_MS;
  return ` until ${isNotToday ? dateAndTime(back.at, render) : timeOfDay(back.at, render)}, then ${back.to}`;
}

function stateOf({ isAway, server, runningSince }: StatusData, render: RenderContext): string {
  if (isAway) return 'not accepting new calls';
  if (server !== null) return 'serves';
  return runningSince === null ? 'server not running' : `up ${clockTime(render.now - runningSince)}`;
}

function backendOf({ members, isAway, server }: StatusData): string {
  if (isAway) return 'Redis unreachable';
  if (server !== null) return new URL(server).host;
  return members === null ? 'embedded' : 'on Redis';
}

function nodeLine(
  { id, kind, host, pid, startedAt, labels, concurrency }: NodeRecord,
  render: RenderContext,
): Line {
  const slots = concurrency === 0 ? 'draining' : `${concurrency} at once`;
  const offers = kind === 'worker' ? `, ${slots}` : '';
  const labelled = labels.length === 0 ? '' : `, ${labels.join(' ')}`;
  return line(
    '  ',
    muted(`${kind} `),
    id,
    muted(` on ${host}, process ${pid}, up ${clockTime(render.now - startedAt)}${offers}${labelled}`),
  );
}

function approvalLines(record: CommandRecord, server: string | null, render: RenderContext): readonly Line[] {
  const id = idLabel(record.id, render);
  const left = record.approval?.status === 'pending' ? timeLeft(record.approval.expiresAt, render.now) : '';
  return [
    spread(
      line(as('asks', '! '), id, ' ', muted(record.context.provider), '  ', as('bold', record.title)),
      line(as('warn', left)),
      { width: render.width },
    ),
    server === null
      ? fit(
          line(
            '  ',
            as('accent', `signalbox approve ${id}`),
            '      ',
            as('accent', `signalbox deny ${id} -m "…"`),
          ),
          render.width,
        )
      : line('  ', as('accent', `signalbox approve ${id} --server ${server}`)),
  ];
}
