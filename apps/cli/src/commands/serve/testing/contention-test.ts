import { defineTool, parseSettings, type SchedulerLimits, type Settings } from '@signalbox/core';
import * as z from 'zod';

/** Options of processes that contend for a few files, as JSON on their command line. */
export const ContentionTest = z.strictObject({
  url: z.string(),
  workspace: z.string(),
  leaseTtlMs: z.number(),
  /** A coordinator writes what it learned of its commands here, one JSON value per line. */
  evidence: z.string(),
  seed: z.number(),
  /** How many commands a worker runs at once. */
  concurrency: z.int().default(4),
});
export type ContentionTest = z.input<typeof ContentionTest>;

/** What a coordinator learned of one command: that it was accepted, and how it ended. */
export const Reported = z.union([
  z.strictObject({ taken: z.string() }),
  z.strictObject({ ended: z.string(), outcome: z.string() }),
]);

/** What commands write about themselves: in the workspace, as they run on the tree itself. */
export const LOG = 'contest.log';

/**
 * @param options.transactional Whether a command's writes are committed when it has ended. Default: written directly.
 */
export function contestSettings({ transactional = false } = {}): Settings {
  const parsed = parseSettings({
    approval: { approval_mode: 'allow_all' },
    execution: { max_concurrent_executions: 6, max_queue_size: 1000, execution_history_limit: 100_000 },
    tools: { shell: { transactional } },
  });
  if (parsed.kind === 'invalid') throw new Error(JSON.stringify(parsed.problems));
  return parsed.settings;
}

export function contestLimits({ leaseTtlMs }: Pick<ContentionTest, 'leaseTtlMs'>): Partial<SchedulerLimits> {
  return { leaseTtlMs };
}

/**
 * Holds a file for a moment, and logs its start, its end, and whether another command held that file: the kernel knows,
 * and releases its lock however a process dies.
 */
export const contend = defineTool({
  name: 'contend',
  description: 'Holds a file for a moment',
  requestKind: 'file_write',
  category: 'system_write',
  risk: 'low',
  args: z.strictObject({ file: z.string().regex(/^[a-z]$/), workMs: z.int() }),
  describe: ({ file }) => file,
  effects: ({ file }) => [{ kind: 'write', path: file, scope: 'file' }],
  async handle({ file, workMs }, context) {
    const say = (word: string): string => `echo "${word} $SIGNALBOX_COMMAND ${file}" >> ${LOG}`;
    const line = [
      say('start'),
      `exec 9>>held-${file}`,
      `flock -n 9 || ${say('overlap')}`,
      `sleep ${workMs / 1000}`,
      say('end'),
    ].join('; ');
    return { output: '', execution: await context.run({ kind: 'shell', line }) };
  },
});
