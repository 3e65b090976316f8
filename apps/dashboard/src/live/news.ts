import type { Event } from '@signalbox/core';
import { resourceText } from '../house/resource-nodes.ts';
import { type CommandSummary, exitCodeText, OUTCOME_WORDS, sessionEnding } from '@signalbox/api';
import { isTrouble, lineOf } from '../house/train.ts';
import { quoted } from '../parts/quoted.ts';
import { waitOf } from '../house/waits.ts';
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

export function newsOf(event: Event, trains: Trains): NewsItem {
  const base = {
    key: event.id,
    at: event.at,
    provider: 'provider' in event ? event.provider : null,
    commandId: 'commandId' in event ? event.commandId : null,
  };
  const line = 'title' in event ? quoted(titleLine(event.title)) : '';
  switch (event.type) {
    case 'approval_requested':
      return { ...base, tone: 'ask', word: 'Needs approval', text: line };
    case 'approval_counted':
      return { ...base, tone: 'ask', word: 'Approved once', text: `${line}, one more approver is needed` };
    case 'approval_overdue':
      return { ...base, tone: 'ask', word: 'Session paused', text: `${line} is still to be answered` };
    case 'approval_extended':
      return { ...base, tone: 'ask', word: 'More time', text: `by ${event.by.name}: ${line}` };
    case 'command_approved':
      return {
        ...base,
        tone: '',
        word: event.modified ? 'Approved, modified' : 'Approved',
        text: `by ${event.by === 'auto' ? 'rule' : event.by.name}: ${line}`,
      };
    case 'command_queued': {
      const train = trains.get(event.commandId);
      const behind = event.blockers.flatMap((id) => trains.get(id)?.provider ?? []);
      if (behind.length === 0)
        return { ...base, tone: '', word: 'Ready', text: `${line}, waiting for a slot` };
      const claim = train === undefined ? null : waitOf({ ...train, blockers: event.blockers }, trains).claim;
      const on = claim === null ? '' : ` on ${quoted(resourceText(claim.resource))}`;
      return {
        ...base,
        tone: 'wait',
        word: 'Queued',
        text: `behind ${namesText([...new Set(behind)])}${on}`,
      };
    }
    case 'command_started': {
      const what =
        event.claims.length === 1
          ? quoted(resourceText(event.claims[0]?.resource ?? ''))
          : `${event.claims.length} resources`;
      const text = event.claims.length === 0 ? line : `on ${what}, fencing token ${event.fencingToken}`;
      return { ...base, tone: 'run', word: event.claims.length === 0 ? 'Started' : 'Lease granted', text };
    }
    case 'command_completed': {
      const answer = exitCodeText(event.exitCode);
      return { ...base, tone: '', word: 'Completed', text: answer === null ? line : `${line}: ${answer}` };
    }
    case 'command_failed':
      return { ...base, tone: 'stop', word: OUTCOME_WORDS[event.outcome], text: `${line}: ${event.message}` };
    case 'command_denied':
      return {
        ...base,
        tone: 'stop',
        word: OUTCOME_WORDS[event.outcome],
        text: `${line}: ${event.reason}`,
      };
    case 'command_cancelled':
      return { ...base, tone: '', word: 'Cancelled', text: `${line}: ${event.reason}` };
    case 'session_started':
      return { ...base, tone: 'run', word: 'Session started', text: event.task };
    case 'session_ended':
      return { ...base, tone: '', word: sessionEnding(event.finish), text: event.message };
    case 'turn_failed':
      return { ...base, tone: 'stop', word: 'Turn failed', text: event.message };
    case 'mode_changed':
      return {
        ...base,
        tone: event.to === 'LOCKDOWN' ? 'stop' : 'wait',
        word: event.to,
        text: `set by ${event.by}: ${event.reason}`,
      };
    case 'coordinator_started':
      return { ...base, tone: '', word: 'Coordinator started', text: `on ${event.host}` };
    case 'coordinator_stopped':
      return { ...base, tone: '', word: 'Coordinator stopped', text: `on ${event.host}` };
    case 'warning_raised':
      return { ...base, tone: 'stop', word: 'Warning', text: event.message };
    case 'warning_cleared':
      return { ...base, tone: '', word: 'Warning cleared', text: event.message };
    default:
      return { ...base, tone: '', word: event.type.replaceAll('_', ' '), text: line };
  }
}

function titleLine(title: string): string {
  return title.startsWith('bash ') ? title.slice('bash '.length) : title;
}

/** What a page that has just opened can tell of before: the last step of each command, newest first. */
export function earlierNews(trains: Trains, most: number): readonly NewsItem[] {
  return [...trains.values()]
    .map((train): NewsItem => {
      const { id, provider } = train;
      const line = quoted(lineOf(train));
      const base = { key: `earlier ${id}`, provider, commandId: id };
      if (train.endedAt !== null) {
        const word = (train.outcome ?? 'done').replace('_', ' ');
        return {
          ...base,
          at: train.endedAt,
          tone: isTrouble(train) ? 'stop' : '',
          word: word.slice(0, 1).toUpperCase() + word.slice(1),
          text: train.message === null ? line : `${line}: ${train.message}`,
        };
      }
      if (train.askedAt !== null)
        return { ...base, at: train.askedAt, tone: 'ask', word: 'Needs approval', text: line };
      if (train.state === 'running')
        return {
          ...base,
          at: train.startedAt ?? train.submittedAt,
          tone: 'run',
          word: 'Running',
          text: line,
        };
      return { ...base, at: train.queuedAt ?? train.submittedAt, tone: 'wait', word: 'Waiting', text: line };
    })
    .toSorted((a, b) => b.at - a.at)
    .slice(0, most);
}
