import type { Panel } from '../house/panel.ts';
import { resourceText } from '../house/resource-nodes.ts';
import { durationText } from '../house/time-text.ts';
import { aspectOf, lineOf, type Train } from '../house/train.ts';
import { ordinal, waitOf } from '../house/waits.ts';
import { quoted, unquoted } from '../parts/quoted.ts';
import { short, shortPath } from './lane-items.ts';

/** Letters of a line and of a path that a lane has room for. */
const LONGEST_LINE = 34;
const LONGEST_PATH = 40;

type Trains = ReadonlyMap<string, Train>;

/** Who else is there, and how long one may wait. */
export type Surroundings = Pick<Panel, 'trains' | 'limits'>;

/** Where a command stands, in words; resources and lines quoted. */
export type StateWords = Readonly<{
  tone: 'run' | 'wait' | 'ask' | 'idle';
  title: string;
  /** When that began, epoch milliseconds; null where no clock runs. */
  since: number | null;
  lines: readonly string[];
}>;

export function stateWords(train: Train, around: Surroundings, now: number): StateWords {
  switch (aspectOf(train)) {
    case 'person':
      return {
        tone: 'ask',
        title: 'Needs you',
        since: train.askedAt,
        lines: [
          `${capital(train.level ?? 'warning')}. Expires in ${durationText((train.expiresAt ?? now) - now)}`,
        ],
      };
    case 'waiting':
      return waitingWords(train, around, now);
    case 'running':
      return {
        tone: 'run',
        title: 'Running',
        since: train.startedAt,
        lines: [runningLine(train, around.trains)],
      };
    case 'judged':
      return { tone: 'idle', title: 'Arrives', since: train.submittedAt, lines: ['It is being judged'] };
    case 'done':
      return { tone: 'idle', title: 'Provider’s turn', since: null, lines: [endedLine(train)] };
  }
}

function waitingWords(train: Train, { trains, limits }: Surroundings, now: number): StateWords {
  const { place, holders, claim } = waitOf(train, trains);
  const since = train.queuedAt;
  const end = endOfWait(since, limits, now);
  if (claim === null) {
    return { tone: 'wait', title: 'Waiting', since, lines: ['For a free place: as many run as may', ...end] };
  }
  const [holder] = holders;
  const by = holder === undefined ? 'behind others in line' : `held by ${holder.provider}`;
  return {
    tone: 'wait',
    title: `Waiting, ${ordinal(place)} in line`,
    since,
    lines: [`For ${quoted(shortPath(resourceText(claim.resource), LONGEST_PATH))}, ${by}`, ...end],
  };
}

/** Nothing once that moment has passed: who took over the queue has begun to count anew. */
function endOfWait(since: number | null, { maxWaitMs }: Panel['limits'], now: number): readonly string[] {
  const leftMs = (since ?? now) + maxWaitMs - now;
  return leftMs > 0 ? [`Cancelled in ${durationText(leftMs)}`] : [];
}

function runningLine(train: Train, trains: Trains): string {
  const writes = train.claims.filter(({ access }) => access === 'write');
  const waiters = [...trains.values()].filter(
    (other) => other.state === 'queued' && other.blockers.includes(train.id),
  );
  const names = [...new Set(waiters.map(({ provider }) => provider))];
  const what = writes.length === 0 ? 'Writes nothing that others want' : `Writes ${resourcesText(train)}`;
  if (names.length === 0) return writes.length === 0 ? 'Holds up nobody' : what;
  return `${what}. ${namesText(names)} ${names.length === 1 ? 'waits' : 'wait'} for it`;
}

function resourcesText({ claims }: Train): string {
  const writes = claims
    .filter(({ access }) => access === 'write')
    .map(({ resource }) => shortPath(resourceText(resource), LONGEST_PATH));
  const [first = ''] = writes;
  return writes.length === 1 ? quoted(first) : `${writes.length} resources`;
}

function endedLine(train: Train): string {
  return `Last: ${quoted(short(lineOf(train), LONGEST_LINE))}, ${(train.outcome ?? 'done').replace('_', ' ')}`;
}

export function namesText(names: readonly string[]): string {
  const [last = ''] = names.slice(-1);
  return names.length < 2 ? last : `${names.slice(0, -1).join(', ')} and ${last}`;
}

export function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

/** The same as one sentence, for those who hear the page. */
export function sentenceOf(train: Train, around: Surroundings, now: number): string {
  const { title, since, lines } = stateWords(train, around, now);
  if (train.state === 'done') return `${lineOf(train)}, ${(train.outcome ?? 'done').replace('_', ' ')}`;
  const time = since === null ? '' : ` since ${durationText(now - since)}`;
  return `${lineOf(train)}: ${title}${time}. ${unquoted(lines.join('. '))}`;
}
