import {
  blockersOf,
  checkWord,
  type CommandSummary,
  costOf,
  type Endings,
  type Lane,
  sinceOf,
  type WorkspaceState,
} from '@signalbox/api';
import { shortId } from '@signalbox/core';
import { cells, column, cutMiddle, fit, gap, lineCells, spread } from '../terminal/cells.ts';
import { STATUS_ICONS, type StatusIcon, iconOfEnding, iconCell } from '../terminal/icon.ts';
import { type Line, line, muted, type TextRole } from '../terminal/line.ts';
import { clockTime, type RenderContext, money, plural, timer } from '../terminal/render-context.ts';
import { sessionIcon } from './session-word.ts';

const LANE_ROLES: readonly TextRole[] = ['lane1', 'lane2', 'lane3', 'lane4', 'lane5', 'lane6'];

/** The lanes of a run, one row each, up to that many; the rest is counted. */
export function lanesView(
  lanes: readonly Lane[],
  state: WorkspaceState,
  { max, render }: Readonly<{ max: number; render: RenderContext }>,
): readonly Line[] {
  const all = lanes.map((lane, i) => ({
    lane,
    now: doing(lane, state),
    role: LANE_ROLES[i % LANE_ROLES.length] ?? 'text',
  }));
  const ranked = all.toSorted((a, b) => rankOf(a.now) - rankOf(b.now));
  const widths = {
    name: Math.max(0, ...lanes.map(({ provider }) => cells(provider))),
    word: Math.max(6, ...all.map(({ now }) => now.word.length)),
  };
  const shown = lanes.length <= max ? ranked : ranked.slice(0, Math.max(1, max - 1));
  const rows = shown.map((one) => laneRow(one, widths, render));
  const hidden = lanes.length - shown.length;
  return hidden === 0 ? rows : [...rows, line(muted(` and ${hidden} more lanes`))];
}

/** `0:52   $0.37 of $2.00   Ctrl-C stop` */
export function runFooter(
  { startedAt, lanes, endings, budget, note }: RunFacts,
  render: RenderContext,
): Line {
  const cost = costOf(lanes);
  const spent = cost === null ? [] : [`${money(cost)}${budget === null ? '' : ` of ${money(budget)}`}`];
  const parts = [
    clockTime(render.now - startedAt),
    ...spent,
    ...endedWords(endings),
    ...(note === '' ? [] : [note]),
  ];
  return fit(line(' ', muted(parts.join('   '))), render.width);
}

type RunFacts = Readonly<{
  /** Epoch milliseconds. */
  startedAt: number;
  lanes: readonly Lane[];
  endings: Endings;
  /** In US dollars; null: not set. */
  budget: number | null;
  note: string;
}>;

/** `12 done`, `1 failed`, `2 stale`; the last two only if there are any. */
function endedWords({ done, failed, stale }: Endings): readonly string[] {
  return [
    `${done} done`,
    ...(failed === 0 ? [] : [`${failed} failed`]),
    ...(stale === 0 ? [] : [`${stale} stale`]),
  ];
}

function laneRow(
  { lane, now, role }: Readonly<{ lane: Lane; now: LaneActivity; role: TextRole }>,
  widths: Readonly<{ name: number; word: number }>,
  render: RenderContext,
): Line {
  const { status, word, tail = '', since } = now;
  const head = line(
    ' ',
    iconCell(status),
    column(lane.provider, widths.name, { role }),
    '  ',
    column(word, widths.word, { role: status.role }),
  );
  const right = line(
    muted(since === null ? '' : timer(render.now - since)),
    gap(2),
    muted(money(lane.session?.costUsd ?? null).padStart(5)),
  );
  const room = render.width - lineCells(head) - lineCells(right) - 2;
  // The blocker is never cut; the command's own id is dropped first.
  const whole = whatText(now);
  const what = cells(whole + tail) <= room || tail === '' ? whole : now.what;
  const shown = room < 8 ? '' : line(cutMiddle(what, Math.max(8, room - cells(tail))), muted(tail));
  return spread(line(head, ' ', shown), right, { width: render.width });
}

/** Pending approvals come first, ended lanes last. */
function rankOf({ word }: LaneActivity): number {
  if (word === 'asks') return 0;
  return IS_AT_WORK.has(word) ? 1 : 2;
}

const IS_AT_WORK: ReadonlySet<string> = new Set(['runs', 'waits', 'thinking', 'retrying', 'rests']);

export type LaneActivity = Readonly<{
  status: StatusIcon;
  word: string;
  /** The command with the title `what`; null if there is none. */
  id: string | null;
  what: string;
  /** Follows `what`. */
  tail?: string;
  since: number | null;
}>;

/** `m2qd run_tests` */
export function whatText({ id, what }: Pick<LaneActivity, 'id' | 'what'>): string {
  return id === null ? what : `${shortId(id)} ${what}`;
}

/** A lane's activity: pending approvals first, then running commands, then waiting ones. */
export function doing(lane: Lane, state: WorkspaceState): LaneActivity {
  const { session, open } = lane;
  const [first] = shownFirst(open);
  if (session?.state === 'ended') {
    const status = sessionIcon(session.finish ?? '');
    return { status, word: status.word, id: null, what: oneLine(session.says), since: null };
  }
  if (first === undefined) return session === null ? idle(lane) : thinking(session);
  const { id, title: what } = first;
  const of = { id, what, since: sinceOf(first) };
  const others = open.length > 1 ? `  (+${plural(open.length - 1, 'command')})` : '';
  if (first.state === 'awaiting_approval')
    return { status: STATUS_ICONS.asks, word: 'asks', ...of, tail: others };
  if (first.state === 'running') return { status: STATUS_ICONS.running, word: 'runs', ...of, tail: others };
  return { status: STATUS_ICONS.waiting, word: 'waits', ...of, tail: forWhom(first, state) };
}

/** States by precedence in a lane. */
const SHOWN_FIRST: readonly CommandSummary['state'][] = ['awaiting_approval', 'running', 'queued'];

/** The command that a lane shows comes first. */
export function shownFirst(open: readonly CommandSummary[]): readonly CommandSummary[] {
  const rank = ({ state }: CommandSummary): number => {
    const at = SHOWN_FIRST.indexOf(state);
    return at < 0 ? SHOWN_FIRST.length : at;
  };
  return open.toSorted((a, b) => rank(a) - rank(b));
}

function thinking({ says, since, retryAt, isResting, waitsFor }: NonNullable<Lane['session']>): LaneActivity {
  if (waitsFor !== null)
    return { status: STATUS_ICONS.asks, word: 'waits', id: null, what: oneLine(waitsFor), since };
  return {
    status: { ...STATUS_ICONS.waiting, icon: '·' },
    word: isResting ? 'rests' : retryAt === null ? 'thinking' : 'retrying',
    id: null,
    what: oneLine(says),
    since,
  };
}

/** Without a model it can't think: it shows how its last command ended. */
function idle({ last }: Lane): LaneActivity {
  const icon = last === null ? '·' : iconOfEnding(last).icon;
  return {
    status: { ...STATUS_ICONS.waiting, icon },
    word: 'idle',
    id: last?.id ?? null,
    what: last?.title ?? '',
    since: null,
  };
}

/** `, for anthropic m2qd (test run) and 2 more` */
function forWhom(waits: CommandSummary, state: WorkspaceState): string {
  const [first, ...others] = blockersOf(waits, state);
  if (first === undefined) return ', for a free slot';
  const more = others.length > 0 ? ` and ${others.length} more` : '';
  const check = checkWord(first.title);
  const what = check === null ? '' : ` (${check})`;
  return `, for ${first.provider} ${shortId(first.id)}${what}${more}`;
}

function oneLine(text: string): string {
  return text.trim().replaceAll(/\s+/g, ' ');
}
