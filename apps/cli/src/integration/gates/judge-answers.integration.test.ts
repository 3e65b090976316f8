import { expect, test } from 'vitest';
import { chatTurn, type ScriptedAnswer } from '../settings/model-server.ts';
import { openJudged, startJudge } from './judge-server.ts';

const chunk = (choice: object): string =>
  `data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', created: 0, model: 'm', choices: [{ index: 0, ...choice }] })}\n\n`;
const said = (content: string): string =>
  chunk({ delta: { role: 'assistant', content }, finish_reason: null });
const end = (reason: string): readonly string[] => [
  chunk({ delta: {}, finish_reason: reason }),
  'data: [DONE]\n\n',
];

/** Answers that a call can bring about by its text. */
const NO_VERDICTS: readonly (readonly [string, ScriptedAnswer])[] = [
  ['refuses the request', { pieces: [said('ALLOW'), ...end('content_filter')] }],
  ['answers 400', { status: 400, pieces: ['{"error":{"message":"bad"}}'] }],
  ['answers 413: the call is too long for it', { status: 413, pieces: ['{"error":{"message":"long"}}'] }],
  ['writes 10 MB', { pieces: Array.from({ length: 160 }, () => said('x'.repeat(65_536))) }],
  ['answers without text', { pieces: end('stop') }],
  ['reaches its limit in the middle', { pieces: [said('ALLOW'), ...end('length')] }],
  ['begins and does not end', { pieces: [said('ALLOW')], hang: true }],
  ['says ALLOW twice', chatTurn({ content: 'ALLOW\nALLOW' })],
  [
    'calls a tool',
    { pieces: [said('ALLOW'), chunk({ delta: toolCall(), finish_reason: null }), ...end('tool_calls')] },
  ],
];

function toolCall(): object {
  return {
    tool_calls: [
      { index: 0, id: 'c1', type: 'function', function: { name: 'bash', arguments: '{"line":"ls"}' } },
    ],
  };
}

test.each(NO_VERDICTS)('a judge that %s denies the call, also with fail_open', async (_, answer) => {
  const judge = await startJudge(() => answer);
  await using own = await openJudged(judge, { fail_open: true, timeout: '1s' });
  const refused = await own.call('openai', 'bash', { line: 'echo 1' });
  expect(refused.failure).toMatchObject({ code: 'judge_unclear', category: 'PolicyBlocked' });
});

test.each([
  ['has no such model', 404],
  ['has too many requests', 429],
  ['is down', 503],
])('with fail_open a call runs while the judge %s', async (_, status) => {
  const judge = await startJudge(() => ({ status, pieces: ['{"error":{"message":"no"}}'] }));
  await using own = await openJudged(judge, { fail_open: true });
  expect((await own.call('openai', 'bash', { line: 'echo 1' })).success).toBe(true);
});

test('a judge that redirects is not followed, and the call is refused', async () => {
  const other = await startJudge(() => 'ALLOW');
  const judge = await startJudge(() => ({ status: 307, location: `${other.url}/chat/completions` }));
  await using own = await openJudged(judge);
  const refused = await own.call('openai', 'bash', { line: 'echo 1' });
  expect(refused.success).toBe(false);
  expect(other.requests).toHaveLength(0);
});
