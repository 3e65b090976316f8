import { type CallContextInput, createToolRegistry, defineTool } from '@signalbox/core';
import { aProviderId } from '@signalbox/core/testing';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { createHarness, FREE } from '../testing/coordinator-harness.ts';

const own = defineTool({
  name: 'own_tool',
  description: 'Concerns the session itself',
  audience: 'sessions',
  requestKind: 'other',
  category: 'internal',
  risk: 'low',
  args: z.strictObject({}),
  describe: () => '',
  effects: () => [],
  handle: async () => ({ output: 'done' }),
});

test.each<[string, Partial<CallContextInput>, string]>([
  ['a session', {}, 'done'],
  ['a session that declares other tools', { tools: ['echo'] }, 'done'],
  ['an agent, whose conversation is elsewhere', { identity: 'provider' }, 'Unknown tool'],
  ['a person', { provider: aProviderId('you') }, 'Unknown tool'],
])('a tool for sessions alone answers %s (S001-58)', async (_, context, answer) => {
  const harness = createHarness(FREE);
  const coordinator = await harness.start({ tools: createToolRegistry([own]) });
  const { result } = harness.submit(coordinator, 'own_tool', {}, context);
  await harness.settle();
  expect((await result).content).toContain(answer);
  expect(coordinator.tools.list()).toEqual([]);
});
