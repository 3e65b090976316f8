import { type CommandId, shortId } from '@signalbox/core';
import { costOf, type Lane, liveBlockers, type LiveCommand, type RunState } from '../run/run-state.ts';
import { cells, column, cutMiddle, fit, gap, lineCells, spread } from '../screen/cells.ts';
import { GLANCES, type Glance, iconCell } from '../screen/icon.ts';
import { type Line, line, muted, type Role } from '../screen/line.ts';
import { clockTime, type Look, money, timer } from '../screen/look.ts';
import { finishWord } from './finish-word.ts';

const LANE_ROLES: readonly Role[] = ['lane1', 'lane2', 'lane3', 'lane4', 'lane5', 'lane6'];

/** The lanes of a run, one row each, at most so many; the rest is counted. */
export function lanesView(state: RunState, most: number, look: Look): readonly Line[] {
  const lanes = [...state.lanes.values()];
  const shown = lanes.length <= most ? lanes : lanes.slice(0, Math.max(1, most - 1));
  const nameWidth = Math.max(0, ...lanes.map(({ provider }) => cells(provider)));
  const rows = shown.map((lane, i) =>
    laneRow(lane, state, { nameWidth, role: LANE_ROLES[i % 6] ?? 'text' }, look),
  );
  const hidden = lanes.length - shown.length;
  return hidden === 0 ? rows : [...rows, line(muted(` and ${hidden} more lanes`))];
}

/** `0:52   $0.37 of $2.00   Ctrl-C stop` */
export function runFooter(state: RunState, budget: number | null, note: string, look: Look): Line {
  const cost = costOf(state);
  const spent = cost === null ? [] : [`${money(cost)}${budget === null ? '' : ` of ${money(budget)}`}`];
  const parts = [
    clockTime(look.now - state.startedAt),
    ...spent,
    `${state.ended} done`,
    ...(note === '' ? [] : [note]),
  ];
  return fit(line(' ', muted(parts.join('   '))), look.width);
}

function laneRow(
  lane: Lane,
  state: RunState,
  { nameWidth, role }: Readonly<{ nameWidth: number; role: Role }>,
  look: Look,
): Line {
  const now = doing(lane, state);
  const { glance, word, tail = '', since } = now;
  const head = line(
    ' ',
    iconCell(glance),
    column(lane.provider, nameWidth, { role }),
    '  ',
    column(word, 6, { role: glance.role }),
  );
  const right = line(
    muted(since === null ? '' : timer(look.now - since)),
    gap(2),
    muted(money(lane.costUsd).padStart(5)),
  );
  const room = look.width - lineCells(head) - lineCells(right) - 2;
  // Whom it waits for is never cut away; its own id gives way first.
  const whole = whatText(now);
  const what = cells(whole + tail) <= room || tail === '' ? whole : now.what;
  const shown = room < 8 ? '' : cutMiddle(what, Math.max(8, room - cells(tail))) + tail;
  return spread(line(head, ' ', shown), right, look.width);
}

export type Doing = Readonly<{
  glance: Glance;
  word: string;
  /** The command that `what` is the title of; null where it is none. */
  id: CommandId | null;
  what: string;
  /** Follows `what`. */
  tail?: string;
  since: number | null;
}>;

/** `m2qd run_tests` */
export function whatText({ id, what }: Pick<Doing, 'id' | 'what'>): string {
  return id === null ? what : `${shortId(id)} ${what}`;
}

/** What a session does now: what asks a person comes first, then what runs, then what waits. */
export function doing(lane: Lane, state: RunState): Doing {
  const mine = [...state.commands.values()].filter(({ sessionId }) => sessionId === lane.sessionId);
  const first = (wanted: LiveCommand['state']): LiveCommand | undefined =>
    mine.find((one) => one.state === wanted);
  if (lane.finish !== null) {
    return lane.finish === 'finished'
      ? { glance: GLANCES.completed, word: 'done', id: null, what: oneLine(lane.says), since: null }
      : { glance: GLANCES.failed, word: 'ended', id: null, what: finishWord(lane.finish), since: null };
  }
  const asks = first('asks');
  const others = mine.length > 1 ? ` and ${mine.length - 1} more` : '';
  if (asks !== undefined) return { glance: GLANCES.asks, word: 'asks', ...of(asks), tail: others };
  const runs = first('runs');
  if (runs !== undefined) return { glance: GLANCES.running, word: 'runs', ...of(runs), tail: others };
  const waits = first('waits') ?? first('submitted');
  if (waits !== undefined) {
    return { glance: GLANCES.waiting, word: 'waits', ...of(waits), tail: forWhom(waits, state) };
  }
  return {
    glance: { ...GLANCES.waiting, icon: '·' },
    word: lane.retryAt === null ? 'thinks' : 'retry',
    id: null,
    what: oneLine(lane.says),
    since: lane.since,
  };
}

function of({ id, title, since }: LiveCommand): Pick<Doing, 'id' | 'what' | 'since'> {
  return { id, what: title, since };
}

/** `, for anthropic m2qd +2` */
function forWhom(waits: LiveCommand, state: RunState): string {
  const [first, ...others] = liveBlockers(waits, state);
  if (first === undefined) return ', for a free place';
  const more = others.length > 0 ? ` +${others.length}` : '';
  return `, for ${first.provider} ${shortId(first.id)}${more}`;
}

function oneLine(text: string): string {
  return text.trim().replaceAll(/\s+/g, ' ');
}
