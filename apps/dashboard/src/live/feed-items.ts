import type { Event } from '@signalbox/core';
import { resourceText } from '../workspace/resource-nodes.ts';
import { type CommandSummary, endingWord, eventText, STATE_WORDS, stateWord } from '@signalbox/api';
import { needsAttention, lineOf } from '../workspace/command-text.ts';
import { quoted } from '../parts/quoted.ts';
import { waitOf } from '../workspace/waits.ts';
import { namesText } from './state-words.ts';

/** A row of the event list: a word in the colour of its state, and its subject. */
export type FeedItem = Readonly<{
  key: string;
  at: number;
  provider: string | null;
  commandId: string | null;
  tone: 'run' | 'wait' | 'ask' | 'stop' | '';
  word: string;
  /** Lines, paths and resources are quoted. */
  text: string;
}>;

type Summaries = ReadonlyMap<string, CommandSummary>;

/** Null for events that are shown elsewhere. */
export function feedItemsOf(event: Event, summaries: Summaries): FeedItem | null {
  const reported = eventText(event, (queued) => behindText(queued, summaries));
  if (reported === null) return null;
  const line = 'title' in event ? quoted(titleLine(event.title)) : '';
  return {
    key: event.id,
    at: event.at,
    provider: 'provider' in event ? event.provider : null,
    commandId: 'commandId' in event ? event.commandId : null,
    tone: toneOf(event),
    word: reported.word,
    text: joined(line, reported.note),
  };
}

/** `anthropic on src/parser.ts`: the holder of what it waits for. */
function behindText(event: Extract<Event, { type: 'command_queued' }>, summaries: Summaries): string {
  const summary = summaries.get(event.commandId);
  const names = [...new Set(event.blockers.flatMap((id) => summaries.get(id)?.provider ?? []))];
  const claim =
    summary === undefined ? null : waitOf({ ...summary, blockers: event.blockers }, summaries).claim;
  const on = claim === null ? '' : ` on ${quoted(resourceText(claim.resource))}`;
  return `${names.length === 0 ? 'an earlier command' : namesText(names)}${on}`;
}

function joined(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join(' · ');
}

function toneOf(event: Event): FeedItem['tone'] {
  if (event.type === 'mode_changed') return event.to === 'LOCKDOWN' ? 'stop' : 'wait';
  if (event.type === 'command_queued') return event.blockers.length === 0 ? '' : 'wait';
  return TONES[event.type] ?? '';
}

const TONES: Readonly<Partial<Record<Event['type'], FeedItem['tone']>>> = {
  approval_requested: 'ask',
  approval_counted: 'ask',
  approval_overdue: 'ask',
  approval_extended: 'ask',
  turns_requested: 'ask',
  session_waiting: 'ask',
  command_started: 'run',
  session_started: 'run',
  session_resumed: 'run',
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

/** Rows for a newly opened page: the last step of each command, newest first. */
export function earlierItems(summaries: Summaries, max: number): readonly FeedItem[] {
  return [...summaries.values()]
    .map((summary): FeedItem => {
      const { id, provider } = summary;
      const { note = '', ...step } = lastStepOf(summary);
      const text = joined(quoted(lineOf(summary)), note);
      return { key: `earlier ${id}`, provider, commandId: id, ...step, text };
    })
    .toSorted((a, b) => b.at - a.at)
    .slice(0, max);
}

type Step = Pick<FeedItem, 'at' | 'tone' | 'word'> & Readonly<{ note?: string }>;

function lastStepOf(summary: CommandSummary): Step {
  const { state, submittedAt, queuedAt, askedAt, startedAt, endedAt } = summary;
  if (endedAt !== null) {
    const note = summary.outcome === 'completed' ? '' : (summary.message ?? '');
    return { at: endedAt, tone: needsAttention(summary) ? 'stop' : '', word: endingWord(summary), note };
  }
  if (askedAt !== null) return { at: askedAt, tone: 'ask', word: stateWord(summary) };
  if (state === 'running') return { at: startedAt ?? submittedAt, tone: 'run', word: STATE_WORDS.running };
  return { at: queuedAt ?? submittedAt, tone: 'wait', word: STATE_WORDS.queued };
}
