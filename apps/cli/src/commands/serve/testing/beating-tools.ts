import { defineTool } from '@signalbox/core';
import * as z from 'zod';

/** What commands write about themselves, in order: each line is appended at once. */
export const BEATS = 'beats.log';

/** Holds a file, and writes heartbeats until a file of that name exists. */
export const beat = defineTool({
  name: 'beat',
  description: 'Holds a file and says that it lives',
  requestKind: 'file_write',
  category: 'system_write',
  risk: 'low',
  args: z.strictObject({ file: z.string().regex(/^[a-z]$/), until: z.string().regex(/^[a-z]+$/) }),
  describe: ({ file }) => file,
  effects: ({ file }) => [{ kind: 'write', path: file, scope: 'file' }],
  async handle({ until }, context) {
    const say = `echo "$SIGNALBOX_COMMAND" >> ${BEATS}`;
    const line = `${say}; while [ ! -e ${until} ]; do sleep 0.02; ${say}; done`;
    return { output: '', execution: await context.run({ kind: 'shell', line }) };
  },
});

/** Writes a file without declaring it: as a transaction it claims the file when it has ended. */
export const writeUnsaid = defineTool({
  name: 'write_unsaid',
  description: 'Writes a file that nobody knew of',
  requestKind: 'file_write',
  category: 'system_write',
  risk: 'low',
  args: z.strictObject({ file: z.string().regex(/^[a-z]$/) }),
  describe: ({ file }) => file,
  effects: () => [],
  async handle({ file }, context) {
    return {
      output: '',
      execution: await context.run({ kind: 'shell', line: `echo "$SIGNALBOX_COMMAND" > ${file}` }),
    };
  },
});

/** Holds a file, without a program, until `letGo`. */
export function createHold() {
  const { promise, resolve } = Promise.withResolvers<void>();
  const hold = defineTool({
    name: 'hold',
    description: 'Holds a file',
    requestKind: 'file_write',
    category: 'system_write',
    risk: 'low',
    args: z.strictObject({ file: z.string().regex(/^[a-z]$/) }),
    describe: ({ file }) => file,
    effects: ({ file }) => [{ kind: 'write', path: file, scope: 'file' }],
    async handle() {
      await promise;
      return { output: '' };
    },
  });
  return { hold, letGo: () => resolve() };
}
