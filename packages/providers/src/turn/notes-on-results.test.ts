import type { TurnRequest } from '@signalbox/core';
import { expect, test } from 'vitest';
import { toMessagesBody } from '../anthropic-messages/to-messages-body.ts';
import { chatQuirksAt } from '../openai-chat/chat-quirks.ts';
import { toChatBody } from '../openai-chat/to-chat-body.ts';
import { toPlainMessages } from '../prompt-tools/describe-tools.ts';

const RESULT = { callId: 'c1', text: '# demo\n', isError: false, notes: ['codex changed a.ts'] };
const REQUEST: TurnRequest = { model: 'm', messages: [{ role: 'tool', results: [RESULT] }], tools: [] };
const PARTS = [
  { type: 'text', text: '# demo\n' },
  { type: 'text', text: 'codex changed a.ts' },
];

test('a note on a result is a separate content part where the API has parts', () => {
  expect(toChatBody(REQUEST, chatQuirksAt('https://api.openai.com/v1'))['messages']).toEqual([
    { role: 'tool', tool_call_id: 'c1', content: PARTS },
  ]);
  const quirks = { cacheControl: true, parallelToolCalls: true, maxOutputTokens: 1, headers: {} };
  expect(toMessagesBody(REQUEST, quirks)['messages']).toEqual([
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', content: PARTS }] },
  ]);
});

test('a note follows the text, marked as ours, where the server takes a single text; in a prompt it is a field', () => {
  expect(toChatBody(REQUEST, chatQuirksAt('https://api.deepseek.com'))['messages']).toMatchObject([
    { content: '# demo\n\n\n[note from Signalbox, not part of the answer: codex changed a.ts]' },
  ]);
  const [plain] = toPlainMessages(REQUEST.messages, []);
  expect(plain).toMatchObject({ text: expect.stringContaining('"notes":["codex changed a.ts"]') });
});

test('a result without a note is a single text in every API', () => {
  const { notes: _, ...result } = RESULT;
  const request: TurnRequest = { ...REQUEST, messages: [{ role: 'tool', results: [result] }] };
  expect(toChatBody(request, chatQuirksAt('https://api.openai.com/v1'))['messages']).toMatchObject([
    { content: '# demo\n' },
  ]);
});
