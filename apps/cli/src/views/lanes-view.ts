import { type CommandId, shortId } from '@signalbox/core';
import {
  costOf,
  endedWords,
  type Lane,
  liveBlockers,
  type LiveCommand,
  type RunState,
} from '../run/run-state.ts';
import { cells, column, cutMiddle, fit, gap, lineCells, spread } from '../screen/cells.ts';
import { GLANCES, type Glance, iconCell } from '../screen/icon.ts';
import { type Line, line, muted, type Role } from '../screen/line.ts';
import { clockTime, type Look, money, timer } from '../screen/look.ts';
import { sessionGlance } from './session-word.ts';

const LANE_ROLES: readonly Role[] = ['lane1', 'lane2', 'lane3', 'lane4', 'lane5', 'lane6'];

/** The lanes of a run, one row each, at most so many; the rest is counted. */
export function lanesView(state: RunState, most: number, look: Look): readonly Line[] {
  const order = [...state.lanes.keys()];
  const rank = new Map([...state.lanes.values()].map((lane) => [lane, rankOf(doing(lane, state))]));
  const lanes = [...state.lanes.values()].toSorted((a, b) => (rank.get(a) ?? 0) - (rank.get(b) ?? 0));
  const wordWidth = Math.max(6, ...lanes.map((lane) => doing(lane, state).word.length));
  const shown = lanes.length <= most ? lanes : lanes.slice(0, Math.max(1, most - 1));
  const nameWidth = Math.max(0, ...lanes.map(({ provider }) => cells(provider)));
  const rows = shown.map((lane) => {
    const role = LANE_ROLES[order.indexOf(lane.sessionId) % LANE_ROLES.length] ?? 'text';
    return laneRow(lane, state, { nameWidth, wordWidth, role }, look);
  });
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
    ...endedWords(state.ended),
    ...(note === '' ? [] : [note]),
  ];
  return fit(line(' ', muted(parts.join('   '))), look.width);
}

function laneRow(
  lane: Lane,
  state: RunState,
  { nameWidth, wordWidth, role }: Readonly<{ nameWidth: number; wordWidth: number; role: Role }>,
  look: Look,
): Line {
  const now = doing(lane, state);
  const { glance, word, tail = '', since } = now;
  const head = line(
    ' ',
    iconCell(glance),
    column(lane.provider, nameWidth, { role }),
    '  ',
    column(word, wordWidth, { role: glance.role }),
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

/** Who needs a person comes first, who has ended last. */
function rankOf({ word }: Doing): number {
  if (word === 'asks') return 0;
  return IS_AT_WORK.has(word) ? 1 : 2;
}

const IS_AT_WORK: ReadonlySet<string> = new Set(['runs', 'waits', 'thinking', 'retrying']);

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
    const glance = sessionGlance(lane.finish);
    return { glance, word: glance.word, id: null, what: oneLine(lane.says), since: null };
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
    word: lane.retryAt === null ? 'thinking' : 'retrying',
    id: null,
    what: oneLine(lane.says),
    since: lane.since,
  };
}

function of({ id, title, since }: LiveCommand): Pick<Doing, 'id' | 'what' | 'since'> {
  return { id, what: title, since };
}

/** `, for anthropic m2qd and 2 more` */
function forWhom(waits: LiveCommand, state: RunState): string {
  const [first, ...others] = liveBlockers(waits, state);
  if (first === undefined) return ', for a free slot';
  const more = others.length > 0 ? ` and ${others.length} more` : '';
  return `, for ${first.provider} ${shortId(first.id)}${more}`;
}

function oneLine(text: string): string {
  return text.trim().replaceAll(/\s+/g, ' ');
}
