import { defineTool, InvariantError, ToolFailure } from '@signalbox/core';
import * as z from 'zod';

export const failingTool = defineTool({
  name: 'failing_tool',
  description: 'Always fails. For tests of error handling.',
  offered: 'declared',
  requestKind: 'other',
  category: 'internal',
  risk: 'low',
  args: z.strictObject({
    message: z.string().max(1000).default('This tool always fails'),
    hidden: z
      .boolean()
      .default(false)
      .describe('true: fail inside Signalbox, with a message that you will not see'),
  }),
  output: z.null(),
  describe: ({ hidden }) => (hidden ? 'hidden' : ''),
  effects: () => [],
  handle({ message, hidden }) {
    const error = hidden
      ? new InvariantError(message)
      : new ToolFailure({ code: 'always-fails', category: 'PermanentFailure', message });
    return Promise.reject(error);
  },
});
