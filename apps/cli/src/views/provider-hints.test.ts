import { defaultSettings, type Event, EventId, NO_USAGE, ProviderId, SessionId } from '@signalbox/core';
import { expect, test } from 'vitest';
import { screenText } from '../testing/screen-text.ts';
import { providerHints } from './provider-hints.ts';

const { providers } = defaultSettings();

function failed(provider: string, kind: string): Event {
  return {
    id: EventId.parse('0-1'),
    at: 0,
    type: 'turn_failed',
    sessionId: SessionId.parse('ses_a00000000000'),
    provider: ProviderId.parse(provider),
    turn: 1,
    attempt: 2,
    kind,
    message: 'no',
    retryInMs: null,
  };
}

const hints = (...events: readonly Event[]): string => screenText(providerHints(events, providers));

test('a provider that never answered is shown with the setting most likely wrong', () => {
  expect(hints(failed('anthropic', 'Auth'))).toBe(
    'anthropic: its key was rejected: is ANTHROPIC_API_KEY right?',
  );
  expect(hints(failed('ollama', 'Auth'))).toContain('providers.ollama.api_key_env');
  expect(hints(failed('ollama', 'InvalidParameters'))).toContain('is its model right? llama3.1');
  expect(hints(failed('openai', 'Timeout'), failed('ollama', 'NetworkError'))).toBe(
    `openai: cannot reach https://api.openai.com/v1: is this machine online?
ollama: does it run? http://127.0.0.1:11434/v1`,
  );
});

test('temporary failures, and a provider that answered in the end, need no hint', () => {
  expect(hints(failed('openai', 'RateLimited'))).toBe('');
  const answered: Event = {
    id: EventId.parse('0-2'),
    at: 1,
    type: 'turn_ended',
    sessionId: SessionId.parse('ses_a00000000000'),
    provider: ProviderId.parse('openai'),
    turn: 1,
    says: 'hi',
    usage: NO_USAGE,
    costUsd: null,
    calls: 0,
  };
  expect(hints(failed('openai', 'Auth'), answered)).toBe('');
});
