import { expect, test } from 'vitest';
import { chatQuirksAt } from './chat-quirks.ts';

test.each([
  ['https://api.openai.com/v1', 'max_completion_tokens', null],
  ['https://house.openai.azure.com/openai/v1/', 'max_completion_tokens', null],
  ['https://api.deepseek.com', 'max_tokens', true],
  ['http://127.0.0.1:11434/v1', 'max_tokens', true],
  ['https://notopenai.com/v1', 'max_tokens', true],
])('at %s the output limit is %s', (baseUrl, maxTokensField, parallelToolCalls) => {
  expect(chatQuirksAt(baseUrl)).toEqual({
    echoReasoning: false,
    maxTokensField,
    streamUsage: true,
    parallelToolCalls,
    contentParts: parallelToolCalls === null,
    headers: {},
  });
});

test('a quirk that is set overrides the default of the base URL', () => {
  const quirks = {
    echoReasoning: true,
    maxTokensField: 'max_tokens',
    streamUsage: false,
    parallelToolCalls: null,
    contentParts: false,
    headers: { x: 'y' },
  } as const;
  expect(chatQuirksAt('https://api.openai.com/v1', quirks)).toEqual(quirks);
  expect(chatQuirksAt('http://127.0.0.1/v1', quirks)).toEqual(quirks);
});
