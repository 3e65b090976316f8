import { expect, test } from 'vitest';
import { policyOf, questionOf, toolOf } from './testing/question-builders.ts';
import { ruled } from './testing/ruled.ts';

test('a question to a person waits for one, whatever would let other calls run; deny_all denies it', () => {
  const question = questionOf({
    tool: toolOf({ name: 'ask_person', aliases: [], category: 'internal' }),
    level: 'safe',
  });
  const auto_approve_tools = ['ask_person'];
  for (const approval_mode of ['auto', 'prompt', 'allow_all'] as const) {
    const open = policyOf({
      approval: { approval_mode },
      agents: { tool_execution: { auto_approve_tools } },
    });
    expect(ruled(open, question)).toBe('ask question-asks');
  }
  const closed = policyOf({ approval: { approval_mode: 'deny_all' } });
  expect(ruled(closed, question)).toBe('deny approval-deny-all');
});
