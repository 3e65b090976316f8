import { defineTool } from '@signalbox/core';
import * as z from 'zod';

const Format = z.enum(['iso8601', 'unix', 'human']);

export const getCurrentTime = defineTool({
  name: 'get_current_time',
  aliases: ['time.now'],
  description: 'Returns the current time in UTC.',
  requestKind: 'other',
  category: 'internal',
  risk: 'low',
  retryable: true,
  args: z.strictObject({
    format: Format.default('iso8601').describe('unix: whole seconds; human: Sat, 21 Nov 2026 22:39:31 GMT'),
  }),
  output: z.string(),
  describe: ({ format }) => format,
  effects: () => [],
  handle: ({ format }, { clock }) => Promise.resolve({ output: formatTime(clock.now(), format) }),
});

function formatTime(epochMs: number, format: z.infer<typeof Format>): string {
  switch (format) {
    case 'iso8601':
      return new Date(epochMs).toISOString();
    case 'unix':
      return String(Math.floor(epochMs / 1000));
    case 'human':
      // ECMA-262 fixes its format, unlike that of `Intl`.
      return new Date(epochMs).toUTCString();
  }
}
