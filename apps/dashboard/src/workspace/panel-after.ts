import type { Event } from '@signalbox/core';
import { applyEvents, newEvents } from '@signalbox/api';
import { platesOf } from '../parts/plates.ts';
import type { Panel } from './panel.ts';

const MAX_FEED_ITEMS = 200;

/** The panel after these events, in order. Unaffected parts keep their identity, so that they are not redrawn. */
export function panelAfter(panel: Panel, events: readonly Event[]): Panel {
  const fresh = newEvents(panel, events);
  if (fresh.length === 0) return panel;
  const providers = new Set(panel.providers);
  for (const event of fresh) if ('provider' in event) providers.add(event.provider);
  const newItems = fresh.filter(isNewer).toReversed();
  return {
    ...panel,
    ...applyEvents(panel, fresh),
    questions: panel.questions + fresh.filter(isOfQuestion).length,
    endings: panel.endings + fresh.filter(isEnding).length,
    ...(providers.size === panel.providers.length ? {} : joined(panel, [...providers])),
    feed: newItems.length === 0 ? panel.feed : [...newItems, ...panel.feed].slice(0, MAX_FEED_ITEMS),
  };
}

function joined({ plates }: Panel, providers: readonly string[]): Pick<Panel, 'providers' | 'plates'> {
  return { providers, plates: platesOf([...new Set([...plates.keys(), ...providers])]) };
}

function isEnding({ type }: Event): boolean {
  return (
    type === 'command_completed' ||
    type === 'command_failed' ||
    type === 'command_denied' ||
    type === 'command_cancelled'
  );
}

const QUIET: ReadonlySet<Event['type']> = new Set([
  'command_submitted',
  'command_classified',
  'command_output',
  'turn_started',
  'turn_ended',
  'model_request_ended',
  'calls_saved',
  'tool_call_start',
  'tool_call_result',
]);

function isNewer(event: Event): boolean {
  if (event.type === 'network_connection') return event.outcome === 'refused';
  if (event.type === 'gate_decided') return event.decision.decision !== 'allow';
  return !QUIET.has(event.type) && !(event.type === 'command_approved' && event.by === 'auto');
}

function isOfQuestion({ type }: Event): boolean {
  return (
    type === 'approval_requested' ||
    type === 'approval_counted' ||
    type === 'approval_overdue' ||
    type === 'approval_extended' ||
    type === 'command_approved' ||
    type === 'command_denied' ||
    type === 'command_cancelled' ||
    type === 'mode_changed'
  );
}
