import type { Event, GateDecision } from '@signalbox/core';
import { duration } from './duration-text.ts';
import { exitCodeText } from './exit-code-text.ts';
import { reuseText } from './reuse-text.ts';
import { runCheckText } from './run-check-text.ts';
import { suspectText } from './suspect-text.ts';
import {
  asLabel,
  OUTCOME_WORDS,
  outcomeWord,
  QUESTION_WORD,
  sessionEnding,
  STATE_WORDS,
} from './status-words.ts';

/** An event in words, the same on every screen; marks, colours and the command's title are the screen's own. */
export type EventText = Readonly<{
  /** A label: `Needs approval`. For use in a sentence see `inSentence`. */
  word: string;
  /** Details besides the title; may be empty. */
  note: string;
}>;

type Queued = Extract<Event, { type: 'command_queued' }>;

/**
 * Null for an event that is shown in another way: output, turns, and the steps that every command takes.
 *
 * @param behind the commands that a queued one waits for, as this screen names them
 */
export function eventText(event: Event, behind: (event: Queued) => string): EventText | null {
  switch (event.type) {
    case 'hallucination_suspect':
      return { word: 'Possibly made up', note: event.suspects.map(suspectText).join('; ') };
    case 'approval_requested':
      return event.question === undefined
        ? { word: STATE_WORDS.awaiting_approval, note: event.reason }
        : { word: QUESTION_WORD, note: '' };
    case 'question_answered':
      return { word: 'Answered', note: `by ${event.by.name}: ${event.answer}` };
    case 'approval_counted':
      return {
        word: 'Approved once',
        note: `by ${event.by.name}, ${event.given} of ${event.approvers} approvers`,
      };
    case 'approval_overdue':
      return { word: 'Session paused', note: 'no answer in time; it can still be approved or denied' };
    case 'approval_extended':
      return { word: 'More time', note: `by ${event.by.name}` };
    case 'command_approved':
      return {
        word: event.modified ? 'Approved, modified' : 'Approved',
        note: event.by === 'auto' ? `by rule ${event.rule}` : `by ${event.by.name}`,
      };
    case 'command_prioritized':
      return { word: 'Priority set', note: `${event.priority}, by ${event.by}` };
    case 'command_queued':
      return event.blockers.length === 0
        ? { word: 'Ready', note: 'waiting for a slot' }
        : { word: 'Queued', note: `behind ${behind(event)}` };
    case 'command_started':
      return {
        word: 'Started',
        note: event.claims.length === 0 ? '' : `lease granted, fencing token ${event.fencingToken}`,
      };
    case 'command_completed':
      return {
        word: asLabel(exitCodeText(event.exitCode) ?? OUTCOME_WORDS.completed),
        note: reuseText(event.reusedFrom),
      };
    case 'command_failed':
      return { word: outcomeWord(event.outcome, event.reason), note: event.message };
    case 'command_denied':
      return { word: OUTCOME_WORDS[event.outcome], note: event.reason };
    case 'command_cancelled':
      return { word: 'Cancelled', note: event.reason };
    case 'command_rolled_back':
      return event.how === 'rolled_back'
        ? { word: 'Rolled back', note: event.reason }
        : { word: 'Rollback failed', note: event.reason };
    case 'gate_decided':
      return gateWords(event.decision);
    case 'network_connection':
      return event.outcome === 'refused'
        ? { word: 'Network refused', note: event.why ?? event.target }
        : null;
    case 'session_started':
      return { word: 'Session started', note: event.task };
    case 'session_ended':
      return { word: `Session ${sessionEnding(event.finish).toLowerCase()}`, note: event.message };
    case 'turn_failed': {
      const retry = event.retryInMs === null ? '' : `; next try in ${duration(event.retryInMs)}`;
      return { word: 'Turn failed', note: `${event.message}${retry}` };
    }
    case 'requirements_lifted':
      return {
        word: 'Tool requirements lifted',
        note: `otherwise no tool could be called: ${event.tools.join(', ')}`,
      };
    case 'message_said':
      return { word: 'Message', note: `${event.by}: ${event.text}` };
    case 'session_resumed':
      return {
        word: 'Continued after a restart',
        note: event.changed === 0 ? '' : `${event.changed} files that it read have changed meanwhile`,
      };
    case 'session_waiting':
      return { word: 'Waits after a restart', note: event.needs };
    case 'session_resting':
      return { word: 'Waits for the check', note: 'its model has given its answer' };
    case 'turns_requested':
      return event.failure === undefined
        ? { word: 'Out of turns', note: `${event.turns} used, and it is not finished` }
        : { word: 'Needs you', note: event.failure };
    case 'turns_granted':
      return event.turns > 0
        ? { word: 'More turns', note: `${event.turns}, by ${event.by}` }
        : { word: 'No more turns', note: `by ${event.by}` };
    case 'context_compressed':
      return { word: COMPRESSION_WORDS[event.how], note: compressionNote(event) };
    case 'run_started':
      return { word: 'Run started', note: `by ${event.by}` };
    case 'run_checked':
      return { word: event.result.passed ? 'Check passed' : 'Check failed', note: runCheckText(event) };
    case 'run_ended':
      return { word: 'Run ended', note: event.stoppedBy === null ? '' : `stopped by ${event.stoppedBy}` };
    case 'mode_changed':
      return { word: `Mode ${event.to}`, note: `set by ${event.by}, was ${event.from}: ${event.reason}` };
    case 'coordinator_started':
      return { word: 'Coordinator started', note: `on ${event.host}` };
    case 'coordinator_stopped':
      return { word: 'Coordinator stopped', note: `on ${event.host}` };
    case 'warning_raised':
      return { word: 'Warning', note: event.message };
    case 'warning_cleared':
      return { word: 'Warning cleared', note: event.message };
    case 'command_submitted':
    case 'command_classified':
    case 'command_output':
    case 'turn_started':
    case 'turn_ended':
    case 'model_request_ended':
    case 'calls_saved':
    case 'tool_call_start':
    case 'tool_call_result':
      return null;
    default:
      // A type that is missing above does not compile; one of a newer server is not shown.
      event satisfies never;
      return null;
  }
}

function gateWords({ gate, decision, shadow, reason }: GateDecision): EventText | null {
  if (decision === 'allow') return null;
  const word = shadow ? `In shadow, ${gate} gate would refuse` : `Refused by ${gate} gate`;
  return { word, note: reason };
}

type Compressed = Extract<Event, { type: 'context_compressed' }>;

/** Of a compressed conversation, by what was done. */
export const COMPRESSION_WORDS: Readonly<Record<Compressed['how'], string>> = {
  summary: 'Compressed',
  cut: 'Results cut',
  none: 'Not compressed',
};

/** `180,000 to 40,000 tokens; requested by ana`. */
export function compressionNote({
  how,
  beforeTokens,
  afterTokens,
  reason,
}: Pick<Compressed, 'how' | 'beforeTokens' | 'afterTokens' | 'reason'>): string {
  const [before, after] = [beforeTokens, afterTokens].map((tokens) => tokens.toLocaleString('en'));
  return how === 'none'
    ? `nothing to remove, ${before} tokens; ${reason}`
    : `${before} to ${after} tokens; ${reason}`;
}

/** A label within a sentence: `needs approval`, `mode LOCKDOWN`. */
export function inSentence(word: string): string {
  return word.slice(0, 1).toLowerCase() + word.slice(1);
}
