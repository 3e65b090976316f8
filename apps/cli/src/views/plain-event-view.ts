import { eventText, inSentence } from '@signalbox/api';
import type { RepeatedApproval, Event } from '@signalbox/core';
import { padded } from '../terminal/cells.ts';
import { type Line, line } from '../terminal/line.ts';
import { duration, money } from '../terminal/render-context.ts';
import { ownExitCode } from './command/own-exit-code.ts';

/** `network refused`, the longest word that is not a session's end. */
const WORD = 15;

/**
 * An event as one log line: full date and ids, nothing cut, no redraw. Null for events that are worth a line only with
 * `-vv`.
 */
export function plainEvent(event: Event, everything = false): Line | null {
  if (event.type === 'turn_ended' && event.says.trim() !== '')
    return plainLine(event, 'says', { rest: [event.says.trim().replaceAll(/\s+/g, ' ')] });
  const text = isStep(event) ? null : eventText(event, ({ blockers }) => blockers.join(', '));
  if (text === null) return everything ? plainLine(event, event.type, { rest: [] }) : null;
  const title = 'title' in event ? event.title : '';
  // Its exit code is among the facts.
  const note = event.type === 'command_completed' ? '' : text.note;
  return plainLine(event, inSentence(text.word), { rest: [title, ...factsOf(event), note] });
}

/** `2026-11-21T12:04:33.000Z waiting         30s: approval cmd_p9ze… (signalbox approve …)`: a heartbeat. */
export function heartbeat(now: number, silentMs: number, { reason }: Readonly<{ reason: string }>): Line {
  return line(new Date(now).toISOString(), ' ', padded('waiting', WORD), ` ${duration(silentMs)}: ${reason}`);
}

function plainLine(event: Event, word: string, { rest }: Readonly<{ rest: readonly string[] }>): Line {
  const provider = 'provider' in event ? event.provider : '-';
  const id = 'commandId' in event ? event.commandId : 'sessionId' in event ? event.sessionId : '-';
  const facts = [id, ...rest.filter((part) => part !== '')].join(' ');
  return line(
    new Date(event.at).toISOString(),
    ' ',
    padded(word, WORD),
    ' ',
    padded(provider, 9),
    ` ${facts}`,
  );
}

/** Steps of every command have no lines of their own, and neither do servers that start and stop. */
function isStep(event: Event): boolean {
  return (
    event.type === 'command_started' ||
    (event.type === 'command_approved' && event.by === 'auto') ||
    (event.type === 'command_queued' && event.blockers.length === 0) ||
    event.type === 'run_started' ||
    event.type === 'run_ended' ||
    event.type === 'coordinator_started' ||
    event.type === 'coordinator_stopped'
  );
}

/** An event's data, for programs that read the log. */
function factsOf(event: Event): readonly string[] {
  if (event.type === 'session_started') return [`model=${event.model}`];
  if (event.type === 'session_ended') return [`turns=${event.turns}`, `cost=${money(event.costUsd)}`];
  if (event.type === 'turn_failed') return [`kind=${event.kind}`];
  if (event.type === 'approval_extended') return [`expires=${secondsText(event)}`];
  if (event.type === 'command_completed')
    return [ownExitCode(event) === null ? '' : `exit=${event.exitCode}`, duration(event.durationMs)];
  if (event.type === 'command_failed') return [`code=${event.reason}`];
  if (event.type === 'command_denied') return [`rule=${event.rule}`];
  if (event.type === 'warning_raised' || event.type === 'warning_cleared') return [`code=${event.code}`];
  if (event.type !== 'approval_requested') return [];
  return [
    `level=${event.level}`,
    `expires=${secondsText(event)}`,
    event.approvers > 1 ? `approvers=${event.approvers}` : '',
    event.again === undefined ? '' : `again=${againText(event.again)}`,
  ];
}

function secondsText({ at, expiresAt }: Readonly<{ at: number; expiresAt: number }>): string {
  return `${Math.round((expiresAt - at) / 1000)}s`;
}

/** Why approval is needed again: `files:src/a.ts,src/b.ts`, `policy`. */
function againText({ because, paths }: RepeatedApproval): string {
  return paths.length === 0 ? because : `${because}:${paths.join(',')}`;
}
