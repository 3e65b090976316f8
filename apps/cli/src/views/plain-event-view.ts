import { type AskedAgain, type Event, shortId } from '@signalbox/core';
import { padded } from '../screen/cells.ts';
import { type Line, line } from '../screen/line.ts';
import { duration, money } from '../screen/look.ts';
import { ownExitCode } from './own-exit-code.ts';
import { sessionGlance } from './session-word.ts';

/**
 * An event as one line of a log: date and ids in full, nothing cut, no redraw. Null for events that are
 * worth a line only with `-vv`.
 */
export function plainEvent(event: Event, everything = false): Line | null {
  const facts = factsOf(event);
  if (facts === null) return everything ? plainLine(event, event.type, []) : null;
  return plainLine(event, facts.word, facts.rest);
}

/** `2026-11-21T12:04:33.000Z waiting   30s: approval cmd_p9ze… (signalbox approve …)`: a sign of life. */
export function heartbeat(now: number, silentMs: number, reason: string): Line {
  return line(new Date(now).toISOString(), ' ', padded('waiting', 9), ` ${duration(silentMs)}: ${reason}`);
}

type Facts = Readonly<{ word: string; rest: readonly string[] }>;

function plainLine(event: Event, word: string, rest: readonly string[]): Line {
  const provider = 'provider' in event ? event.provider : '-';
  const id = 'commandId' in event ? event.commandId : 'sessionId' in event ? event.sessionId : '-';
  const facts = [id, ...rest.filter((part) => part !== '')].join(' ');
  return line(new Date(event.at).toISOString(), ' ', padded(word, 9), ' ', padded(provider, 9), ` ${facts}`);
}

function factsOf(event: Event): Facts | null {
  switch (event.type) {
    case 'session_started':
      return { word: 'begins', rest: [`model=${event.model}`] };
    case 'session_ended':
      return {
        word: 'ended',
        rest: [
          sessionGlance(event.finish).word,
          `turns=${event.turns}`,
          `cost=${money(event.costUsd)}`,
          event.message,
        ],
      };
    case 'turn_ended':
      return event.says.trim() === ''
        ? null
        : { word: 'says', rest: [event.says.trim().replaceAll(/\s+/g, ' ')] };
    case 'turn_failed':
      return {
        word: 'turn',
        rest: [
          `${event.kind}: ${event.message}`,
          event.retryInMs === null ? '' : `retry=${duration(event.retryInMs)}`,
        ],
      };
    case 'approval_requested':
      return {
        word: 'asks',
        rest: [
          event.title,
          `level=${event.level}`,
          `expires=${Math.round((event.expiresAt - event.at) / 1000)}s`,
          event.approvers > 1 ? `approvers=${event.approvers}` : '',
          event.again === undefined ? '' : `again=${againText(event.again)}`,
          event.reason,
        ],
      };
    case 'approval_counted':
      return {
        word: 'counted',
        rest: [event.title, `by=${event.by.name}`, `${event.given} of ${event.approvers}`],
      };
    case 'approval_overdue':
      return {
        word: 'paused',
        rest: [
          event.title,
          `nobody answered in time; signalbox approve ${shortId(event.commandId)} still counts`,
        ],
      };
    case 'command_prioritized':
      return { word: 'priority', rest: [event.title, `by=${event.by}`, `priority=${event.priority}`] };
    case 'approval_extended':
      return {
        word: 'extended',
        rest: [
          event.title,
          `by=${event.by.name}`,
          `expires=${Math.round((event.expiresAt - event.at) / 1000)}s`,
        ],
      };
    case 'command_approved':
      return event.by === 'auto'
        ? null
        : { word: 'approved', rest: [event.title, `by=${event.by.name}`, event.modified ? 'modified' : ''] };
    case 'command_queued':
      return event.blockers.length === 0
        ? null
        : { word: 'queued', rest: [event.title, `behind=${event.blockers.join(',')}`] };
    case 'command_completed':
      return {
        word: 'done',
        rest: [
          event.title,
          ownExitCode(event) === null ? '' : `exit=${event.exitCode}`,
          duration(event.durationMs),
        ],
      };
    case 'command_failed':
      return { word: event.outcome, rest: [event.title, event.reason, event.message] };
    case 'command_denied':
      return { word: event.outcome, rest: [event.title, `rule=${event.rule}`, event.reason] };
    case 'command_rolled_back':
      return { word: 'rolled', rest: [event.title, event.how, event.reason] };
    case 'command_cancelled':
      return { word: 'cancelled', rest: [event.title, event.reason] };
    case 'network_connection':
      return event.outcome === 'refused'
        ? { word: 'network', rest: ['refused', event.why ?? event.target] }
        : null;
    case 'mode_changed':
      return { word: 'mode', rest: [`${event.from} > ${event.to}`, `by=${event.by}`, event.reason] };
    case 'warning_raised':
      return { word: 'warning', rest: [event.code, event.message] };
    case 'warning_cleared':
      return { word: 'cleared', rest: [event.code, event.message] };
    case 'turns_requested':
      return { word: 'turns', rest: [`used=${event.turns}`, 'is not done and asks for more'] };
    case 'turns_granted':
      return { word: 'turns', rest: [`more=${event.turns}`, `by=${event.by}`] };
    case 'run_started':
    case 'run_ended':
    case 'command_submitted':
    case 'command_classified':
    case 'command_started':
    case 'command_output':
    case 'turn_started':
    case 'tool_call_start':
    case 'tool_call_result':
    case 'coordinator_started':
    case 'coordinator_stopped':
      return null;
    default:
      // A type that is missing above does not compile; one of a newer server is not shown.
      event satisfies never;
      return null;
  }
}

/** Why a question is put once more: `files:src/a.ts,src/b.ts`, `policy`. */
function againText({ because, paths }: AskedAgain): string {
  return paths.length === 0 ? because : `${because}:${paths.join(',')}`;
}
