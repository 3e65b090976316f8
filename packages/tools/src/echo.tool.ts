import { defineTool } from '@signalbox/core';
import * as z from 'zod';

export const echo = defineTool({
  name: 'echo',
  description: 'Returns the given text. For connection tests.',
  offered: 'declared',
  requestKind: 'other',
  category: 'internal',
  risk: 'low',
  retryable: true,
  args: z.strictObject({ text: z.string().max(1024 * 1024) }),
  output: z.string(),
  describe: ({ text }) => JSON.stringify(text.slice(0, 40)),
  effects: () => [],
  handle: ({ text }) => Promise.resolve({ output: text }),
});
