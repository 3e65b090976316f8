import type { Event } from '@signalbox/core';
import { resourceText } from '../workspace/resource-nodes.ts';
import { type CommandSummary, endingWord, eventText, STATE_WORDS } from '@signalbox/api';
import { isTrouble, lineOf } from '../workspace/train.ts';
import { quoted } from '../parts/quoted.ts';
import { waitOf } from '../workspace/waits.ts';
import { namesText } from './state-words.ts';

/** A line of the list of events: a word in the colour of its state, and what it is about. */
export type NewsItem = Readonly<{
  key: string;
  at: number;
  provider: string | null;
  commandId: string | null;
  tone: 'run' | 'wait' | 'ask' | 'stop' | '';
  word: string;
  /** Lines, paths and resources quoted. */
  text: string;
}>;

type Trains = ReadonlyMap<string, CommandSummary>;

/** Null for events that are shown in another way. */
export function newsOf(event: Event, trains: Trains): NewsItem | null {
  const told = eventText(event, (queued) => behindText(queued, trains));
  if (told === null) return null;
  const line = 'title' in event ? quoted(titleLine(event.title)) : '';
  return {
    key: event.id,
    at: event.at,
    provider: 'provider' in event ? event.provider : null,
    commandId: 'commandId' in event ? event.commandId : null,
    tone: toneOf(event),
    word: told.word,
    text: joined(line, told.note),
  };
}

/** `anthropic on src/parser.ts`: who holds what it waits for. */
function behindText(event: Extract<Event, { type: 'command_queued' }>, trains: Trains): string {
  const train = trains.get(event.commandId);
  const names = [...new Set(event.blockers.flatMap((id) => trains.get(id)?.provider ?? []))];
  const claim = train === undefined ? null : waitOf({ ...train, blockers: event.blockers }, trains).claim;
  const on = claim === null ? '' : ` on ${quoted(resourceText(claim.resource))}`;
  return `${names.length === 0 ? 'an earlier command' : namesText(names)}${on}`;
}

function joined(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join(' · ');
}

function toneOf(event: Event): NewsItem['tone'] {
  if (event.type === 'mode_changed') return event.to === 'LOCKDOWN' ? 'stop' : 'wait';
  if (event.type === 'command_queued') return event.blockers.length === 0 ? '' : 'wait';
  return TONES[event.type] ?? '';
}

const TONES: Readonly<Partial<Record<Event['type'], NewsItem['tone']>>> = {
  approval_requested: 'ask',
  approval_counted: 'ask',
  approval_overdue: 'ask',
  approval_extended: 'ask',
  turns_requested: 'ask',
  command_started: 'run',
  session_started: 'run',
  run_started: 'run',
  command_failed: 'stop',
  command_denied: 'stop',
  command_rolled_back: 'stop',
  network_connection: 'stop',
  turn_failed: 'stop',
  warning_raised: 'stop',
};

function titleLine(title: string): string {
  return title.startsWith('bash ') ? title.slice('bash '.length) : title;
}

/** What a page that has just opened can tell of before: the last step of each command, newest first. */
export function earlierNews(trains: Trains, most: number): readonly NewsItem[] {
  return [...trains.values()]
    .map((train): NewsItem => {
      const { id, provider } = train;
      const { note = '', ...step } = lastStepOf(train);
      const text = joined(quoted(lineOf(train)), note);
      return { key: `earlier ${id}`, provider, commandId: id, ...step, text };
    })
    .toSorted((a, b) => b.at - a.at)
    .slice(0, most);
}

type Step = Pick<NewsItem, 'at' | 'tone' | 'word'> & Readonly<{ note?: string }>;

function lastStepOf(train: CommandSummary): Step {
  const { state, submittedAt, queuedAt, askedAt, startedAt, endedAt } = train;
  if (endedAt !== null) {
    const note = train.outcome === 'completed' ? '' : (train.message ?? '');
    return { at: endedAt, tone: isTrouble(train) ? 'stop' : '', word: endingWord(train), note };
  }
  if (askedAt !== null) return { at: askedAt, tone: 'ask', word: STATE_WORDS.awaiting_approval };
  if (state === 'running') return { at: startedAt ?? submittedAt, tone: 'run', word: STATE_WORDS.running };
  return { at: queuedAt ?? submittedAt, tone: 'wait', word: STATE_WORDS.queued };
}
