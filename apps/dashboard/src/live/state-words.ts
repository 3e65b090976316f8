import { ASK_PERSON } from '@signalbox/core';
import type { Panel } from '../workspace/panel.ts';
import { resourceText } from '../workspace/resource-nodes.ts';
import {
  checkNote,
  clockTime,
  type CommandSummary,
  endingWord,
  STATE_WORDS,
  sessionEnding,
  stateWord,
  sinceOf,
  WHY_CHECKS_HOLD,
} from '@signalbox/api';
import { phaseOf, lineOf } from '../workspace/command-text.ts';
import { ordinal, waitOf } from '../workspace/waits.ts';
import type { ProviderStatus } from '../workspace/provider-status.ts';
import { lastSentence } from '../workspace/last-sentence.ts';
import { quoted, unquoted } from '../parts/quoted.ts';
import { visible } from '@signalbox/core/visible-text';
import { short, shortPath } from './lane-items.ts';

/** Letters of a line and of a path that fit into a lane. */
const LONGEST_LINE = 34;
const LONGEST_PATH = 40;

type Summaries = ReadonlyMap<string, CommandSummary>;

/** The other commands, and the longest allowed wait. */
export type PanelLimits = Pick<Panel, 'commands' | 'limits'>;

/** A command's state in words; resources and lines are quoted. */
export type StateWords = Readonly<{
  tone: 'run' | 'wait' | 'ask' | 'idle';
  title: string;
  /** Start of that state, epoch milliseconds; null without a clock. */
  since: number | null;
  lines: readonly string[];
}>;

/**
 * @param summary the most relevant command; null if the provider never called.
 * @param status the provider's state while it has no unfinished command.
 */
export function laneWords(
  summary: CommandSummary | null,
  status: ProviderStatus,
  { around, now }: Readonly<{ around: PanelLimits; now: number }>,
): StateWords | null {
  if (summary !== null && summary.endedAt === null) return stateWords(summary, now, around);
  switch (status.kind) {
    case 'thinking': {
      const { says, startedAt, isResting } = status.session;
      const notice = visible(lastSentence(says));
      return {
        tone: 'idle',
        title: isResting ? 'Waits for the check' : 'Thinking',
        since: isResting ? status.session.since : (summary?.endedAt ?? startedAt),
        lines: notice === '' ? lastLine(summary) : [notice],
      };
    }
    case 'ended': {
      const { finish, message, says } = status.session;
      const notice = visible(finish === 'finished' ? lastSentence(says) : (message ?? ''));
      return {
        tone: 'idle',
        title: sessionEnding(finish),
        since: null,
        lines: notice === '' ? lastLine(summary) : [notice],
      };
    }
    case 'idle':
      return summary === null ? null : { tone: 'idle', title: 'Idle', since: null, lines: lastLine(summary) };
  }
}

function lastLine(summary: CommandSummary | null): readonly string[] {
  return summary === null ? [] : [endedLine(summary)];
}

export function stateWords(summary: CommandSummary, now: number, around: PanelLimits): StateWords {
  switch (phaseOf(summary)) {
    case 'person':
      return {
        tone: 'ask',
        title: stateWord(summary),
        since: summary.askedAt,
        lines: [
          `${summary.tool === ASK_PERSON ? '' : `${capital(summary.level ?? 'warning')}. `}Expires in ${clockTime((summary.expiresAt ?? now) - now)}`,
        ],
      };
    case 'waiting':
      return waitingWords(summary, now, around);
    case 'running':
      return {
        tone: 'run',
        title: STATE_WORDS.running,
        since: summary.startedAt,
        lines: [runningLine(summary, around.commands)],
      };
    case 'judged':
      return { tone: 'idle', title: STATE_WORDS.submitted, since: summary.submittedAt, lines: [] };
    case 'done':
      return { tone: 'idle', title: 'Done', since: null, lines: [endedLine(summary)] };
  }
}

function waitingWords(
  summary: CommandSummary,
  now: number,
  { commands: summaries, limits }: PanelLimits,
): StateWords {
  const { position, holders, claim } = waitOf(summary, summaries);
  const since = summary.queuedAt;
  const end = endOfWait(since, now, limits);
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
    title: `${STATE_WORDS.queued}, ${ordinal(position)} in line`,
    since,
    lines: [
      `For ${quoted(shortPath(resourceText(claim.resource), LONGEST_PATH))}, ${by}`,
      ...(check === '' ? [] : [WHY_CHECKS_HOLD]),
      ...end,
    ],
  };
}

/** Empty once that moment has passed: after a takeover of the queue the wait is counted from then. */
function endOfWait(since: number | null, now: number, { maxWaitMs }: Panel['limits']): readonly string[] {
  const leftMs = (since ?? now) + maxWaitMs - now;
  return leftMs > 0 ? [`Cancelled in ${clockTime(leftMs)}`] : [];
}

function runningLine(summary: CommandSummary, summaries: Summaries): string {
  const writes = summary.claims.filter(({ access }) => access === 'write');
  const waiters = [...summaries.values()].filter(
    (other) => other.state === 'queued' && other.blockers.includes(summary.id),
  );
  const names = [...new Set(waiters.map(({ provider }) => provider))];
  const what = writes.length === 0 ? 'Only reads' : `Writes ${resourcesText(summary)}`;
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

function endedLine(summary: CommandSummary): string {
  return `Last: ${quoted(short(lineOf(summary), LONGEST_LINE))}, ${endedWord(summary)}`;
}

function endedWord(summary: CommandSummary): string {
  return summary.outcome === null ? 'done' : endingWord(summary).toLowerCase();
}

export function namesText(names: readonly string[]): string {
  const [last = ''] = names.slice(-1);
  return names.length < 2 ? last : `${names.slice(0, -1).join(', ')} and ${last}`;
}

export function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

/** The same as one sentence, for screen readers. */
export function sentenceOf(summary: CommandSummary, now: number, around: PanelLimits): string {
  const { title, since, lines } = stateWords(summary, now, around);
  if (summary.state === 'done') return `${lineOf(summary)}, ${endedWord(summary)}`;
  const time = since === null ? '' : ` since ${clockTime(now - since)}`;
  return `${lineOf(summary)}: ${title}${time}. ${unquoted(lines.join('. '))}`;
}
