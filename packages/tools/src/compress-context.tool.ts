import { COMPRESS_CONTEXT, defineTool } from '@signalbox/core';
import * as z from 'zod';

/** Only records the request: the session compresses its conversation when the turn has its results (S001-54). */
export const compressContext = defineTool({
  name: COMPRESS_CONTEXT,
  description:
    'Replaces the earlier turns of your conversation by a summary, after this turn. Call it when a large part of the work is done and you no longer need what you read for it; it happens by itself when your context is nearly full. Your task, what people told you, and the last three turns stay.',
  audience: 'sessions',
  requestKind: 'other',
  category: 'internal',
  risk: 'low',
  isExempt: true,
  args: z.strictObject({}),
  output: z.string(),
  describe: () => '',
  effects: () => [],
  handle: () =>
    Promise.resolve({
      output:
        'Your earlier turns are summarised after this turn, unless that was done within the last three turns. You go on from the summary; commands and files are as they are.',
    }),
});
