import { expect, test } from 'vitest';
import { savedBySession } from './saved-by-session.ts';
import { addSavings, NO_SAVINGS, savedByCall, type Savings, tokensSaved } from './savings.ts';
import { EventId, ProviderId, SessionId } from './index.ts';
import { aCommandId } from './testing/index.ts';

const head = {
  id: EventId.parse('1-0'),
  at: 1,
  sessionId: SessionId.parse('ses_aaaaaaaaaaaa'),
  provider: ProviderId.parse('openai'),
} as const;
const usage = {
  inputTokens: 0,
  cachedInputTokens: 0,
  cacheWriteTokens: 0,
  outputTokens: 0,
  reasoningTokens: 0,
};
const filtered = {
  filter: 'jest',
  confidence: 'full',
  keptLines: 3,
  lines: 90,
  keptTokens: 40,
  savedTokens: 900,
} as const;
const reusedFrom = { commandId: aCommandId(), provider: head.provider, endedAt: 0, durationMs: 12_000 };

test('a filtered result that was used again saves its tokens, one call, and the time of its run', () => {
  expect(savedByCall({ filtered, reusedFrom })).toEqual({
    tokens: { filters: 900, offers: 0, compressions: 0 },
    calls: 1,
    ms: 12_000,
  });
  expect(savedByCall({})).toEqual(NO_SAVINGS);
});

test('each token that a session saved counts once, by what saved it', () => {
  const saved = savedByCall({ filtered, reusedFrom });
  const compressed = {
    ...head,
    type: 'context_compressed',
    turn: 1,
    method: 'manual',
    reason: '',
    summary: '',
    removed: 2,
    beforeTokens: 500,
  } as const;
  const events = [
    {
      ...head,
      type: 'turn_ended',
      turn: 1,
      says: '',
      calls: 1,
      usage,
      costUsd: null,
      filter: { leftOut: 2, tokensSaved: 70 },
    },
    { ...head, type: 'calls_saved', saved },
    { ...head, type: 'tool_call_result', callId: 'c', commandId: aCommandId(), success: true },
    { ...compressed, how: 'cut', afterTokens: 100 },
    { ...compressed, how: 'none', afterTokens: 100 },
    { ...compressed, how: 'summary', afterTokens: 600 },
  ] as const;
  const sum = events.map(savedBySession).reduce<Savings>(addSavings, NO_SAVINGS);
  expect(sum).toEqual({ tokens: { filters: 900, offers: 70, compressions: 400 }, calls: 1, ms: 12_000 });
  expect(tokensSaved(sum)).toBe(1370);
});
