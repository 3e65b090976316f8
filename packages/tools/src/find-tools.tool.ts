import { defineTool } from '@signalbox/core';
import * as z from 'zod';

/** The way to tools that the filter left out of an offer. */
export const findTools = defineTool({
  name: 'find_tools',
  description:
    'Finds more tools by what they do: you were offered only those that seemed to fit your task. The tools found can be called from your next turn on.',
  requestKind: 'other',
  category: 'internal',
  risk: 'low',
  offered: 'filtered',
  isExempt: true,
  args: z.strictObject({
    query: z
      .string()
      .min(1)
      .max(1000)
      .describe('What the tool should do, e.g. "send a message to a channel"'),
  }),
  output: z.union([z.string(), z.array(z.strictObject({ name: z.string(), description: z.string() }))]),
  describe: ({ query }) => query,
  effects: () => [],
  async handle({ query }, { findTools: find }) {
    const found = await find(query);
    if (found.length === 0) return { output: 'No other tool fits. You were offered every tool that does.' };
    return {
      output: found.map(({ name, description }) => ({ name, description: description.slice(0, 500) })),
    };
  },
});
