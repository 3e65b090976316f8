import type { Panel } from '../workspace/panel.ts';
import { resourceText } from '../workspace/resource-nodes.ts';
import {
  checkNote,
  clockTime,
  type CommandSummary,
  endingWord,
  STATE_WORDS,
  sessionEnding,
  sinceOf,
  WHY_CHECKS_HOLD,
} from '@signalbox/api';
import { aspectOf, lineOf } from '../workspace/train.ts';
import { ordinal, waitOf } from '../workspace/waits.ts';
import type { ProviderStatus } from '../workspace/provider-status.ts';
import { lastSentence } from '../workspace/last-sentence.ts';
import { quoted, unquoted } from '../parts/quoted.ts';
import { visible } from '@signalbox/core/visible-text';
import { short, shortPath } from './lane-items.ts';

/** Letters of a line and of a path that a lane has room for. */
const LONGEST_LINE = 34;
const LONGEST_PATH = 40;

type Trains = ReadonlyMap<string, CommandSummary>;

/** Who else is there, and how long one may wait. */
export type Surroundings = Pick<Panel, 'commands' | 'limits'>;

/** Where a command stands, in words; resources and lines quoted. */
export type StateWords = Readonly<{
  tone: 'run' | 'wait' | 'ask' | 'idle';
  title: string;
  /** When that began, epoch milliseconds; null where no clock runs. */
  since: number | null;
  lines: readonly string[];
}>;

/**
 * @param train the command that counts most; null when nobody ever called.
 * @param status what its provider does while no command of it is alive.
 */
export function laneWords(
  train: CommandSummary | null,
  status: ProviderStatus,
  around: Surroundings,
  now: number,
): StateWords | null {
  if (train !== null && train.endedAt === null) return stateWords(train, around, now);
  switch (status.kind) {
    case 'thinking': {
      const said = visible(lastSentence(status.session.says));
      const since = train?.endedAt ?? status.session.startedAt;
      return { tone: 'idle', title: 'Thinking', since, lines: said === '' ? lastLine(train) : [said] };
    }
    case 'ended': {
      const { finish, message, says } = status.session;
      const said = visible(finish === 'finished' ? lastSentence(says) : (message ?? ''));
      return {
        tone: 'idle',
        title: sessionEnding(finish),
        since: null,
        lines: said === '' ? lastLine(train) : [said],
      };
    }
    case 'idle':
      return train === null ? null : { tone: 'idle', title: 'Idle', since: null, lines: lastLine(train) };
  }
}

function lastLine(train: CommandSummary | null): readonly string[] {
  return train === null ? [] : [endedLine(train)];
}

export function stateWords(train: CommandSummary, around: Surroundings, now: number): StateWords {
  switch (aspectOf(train)) {
    case 'person':
      return {
        tone: 'ask',
        title: STATE_WORDS.awaiting_approval,
        since: train.askedAt,
        lines: [
          `${capital(train.level ?? 'warning')}. Expires in ${clockTime((train.expiresAt ?? now) - now)}`,
        ],
      };
    case 'waiting':
      return waitingWords(train, around, now);
    case 'running':
      return {
        tone: 'run',
        title: STATE_WORDS.running,
        since: train.startedAt,
        lines: [runningLine(train, around.commands)],
      };
    case 'judged':
      return { tone: 'idle', title: STATE_WORDS.submitted, since: train.submittedAt, lines: [] };
    case 'done':
      return { tone: 'idle', title: 'Done', since: null, lines: [endedLine(train)] };
  }
}

function waitingWords(
  train: CommandSummary,
  { commands: trains, limits }: Surroundings,
  now: number,
): StateWords {
  const { place, holders, claim } = waitOf(train, trains);
  const since = train.queuedAt;
  const end = endOfWait(since, limits, now);
  if (claim === null) {
    return {
      tone: 'wait',
      title: STATE_WORDS.queued,
      since,
      lines: [`For a free slot: all ${limits.maxConcurrent} in use`, ...end],
    };
  }
  const [holder] = holders;
  const check = holder === undefined ? '' : checkNote(holder.title, now - sinceOf(holder));
  const by = holder === undefined ? 'queued behind others' : `held by ${holder.provider}${check}`;
  return {
    tone: 'wait',
    title: `${STATE_WORDS.queued}, ${ordinal(place)} in line`,
    since,
    lines: [
      `For ${quoted(shortPath(resourceText(claim.resource), LONGEST_PATH))}, ${by}`,
      ...(check === '' ? [] : [WHY_CHECKS_HOLD]),
      ...end,
    ],
  };
}

/** Nothing once that moment has passed: who took over the queue has begun to count anew. */
function endOfWait(since: number | null, { maxWaitMs }: Panel['limits'], now: number): readonly string[] {
  const leftMs = (since ?? now) + maxWaitMs - now;
  return leftMs > 0 ? [`Cancelled in ${clockTime(leftMs)}`] : [];
}

function runningLine(train: CommandSummary, trains: Trains): string {
  const writes = train.claims.filter(({ access }) => access === 'write');
  const waiters = [...trains.values()].filter(
    (other) => other.state === 'queued' && other.blockers.includes(train.id),
  );
  const names = [...new Set(waiters.map(({ provider }) => provider))];
  const what = writes.length === 0 ? 'Only reads' : `Writes ${resourcesText(train)}`;
  if (names.length === 0) return writes.length === 0 ? 'Blocks no one' : what;
  return `${what}. ${namesText(names)} ${names.length === 1 ? 'waits' : 'wait'} for it`;
}

function resourcesText({ claims }: CommandSummary): string {
  const writes = claims
    .filter(({ access }) => access === 'write')
    .map(({ resource }) => shortPath(resourceText(resource), LONGEST_PATH));
  const [first = ''] = writes;
  return writes.length === 1 ? quoted(first) : `${writes.length} resources`;
}

function endedLine(train: CommandSummary): string {
  return `Last: ${quoted(short(lineOf(train), LONGEST_LINE))}, ${endedWord(train)}`;
}

function endedWord(train: CommandSummary): string {
  return train.outcome === null ? 'done' : endingWord(train).toLowerCase();
}

export function namesText(names: readonly string[]): string {
  const [last = ''] = names.slice(-1);
  return names.length < 2 ? last : `${names.slice(0, -1).join(', ')} and ${last}`;
}

export function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

/** The same as one sentence, for those who hear the page. */
export function sentenceOf(train: CommandSummary, around: Surroundings, now: number): string {
  const { title, since, lines } = stateWords(train, around, now);
  if (train.state === 'done') return `${lineOf(train)}, ${endedWord(train)}`;
  const time = since === null ? '' : ` since ${clockTime(now - since)}`;
  return `${lineOf(train)}: ${title}${time}. ${unquoted(lines.join('. '))}`;
}
