import { ALL_MODES, defineTool } from '@signalbox/core';
import * as z from 'zod';
import { FilePath } from '../arguments.ts';
import { programAnswer, ProgramOutput } from './program-answer.ts';
import { folderOf } from './workspace-line.ts';

/** S003-16. */
const TIMEOUT_MS = 60_000;
/** S003-59. */
const MAX_TIMEOUT_MS = 300_000;

export const bash = defineTool({
  name: 'bash',
  aliases: ['shell'],
  description:
    'Runs a shell line in the sandbox, with an empty standard input. The line is checked first: dangerous lines and lines that need the network wait for approval. With network access it reaches only the hosts named in the line, by HTTP and TLS through HTTP_PROXY. /tmp is empty for each line and discarded afterwards. Prefer the file and git tools where they do the job: they wait less.',
  requestKind: 'bash',
  category: 'execute',
  risk: 'high',
  allowedModes: ALL_MODES.filter((mode) => mode !== 'LOCKDOWN'),
  requiresSandbox: true,
  reuse: 'check-lines',
  timeoutMs: TIMEOUT_MS,
  argAliases: {
    command: { name: 'line' },
    cmd: { name: 'line' },
    timeout: { name: 'timeoutMs', read: timeoutIn },
  },
  args: z.strictObject({
    line: z.string().min(1).max(16_384).describe('The shell line, for bash'),
    cwd: FilePath.optional().describe('Directory to run in; the workspace itself when absent'),
    timeoutMs: z.int().min(1).max(MAX_TIMEOUT_MS).optional().describe('Milliseconds; 60000 when absent'),
    terminal: z
      .boolean()
      .optional()
      .describe('For programs that require a terminal; standard error is then part of the output'),
  }),
  output: ProgramOutput,
  describe: ({ line, cwd }) => (cwd === undefined ? line : `${line} (in ${cwd})`),
  shellLine: ({ line, cwd }, { workingDir }) => ({ line, ...folderOf(cwd ?? workingDir) }),
  requestedTimeoutMs: ({ timeoutMs }) => timeoutMs,
  effects: () => [],
  async handle({ line, cwd, terminal }, { run, lines }) {
    return programAnswer(
      await run(
        { kind: 'shell', line },
        { ...folderOf(cwd ?? lines.workingDir), ...(terminal === undefined ? {} : { terminal }) },
      ),
    );
  },
});

/**
 * Agents give seconds or milliseconds: values below 1,000 are read as seconds, since no line needs such a short
 * timeout.
 */
function timeoutIn(value: unknown): unknown {
  return typeof value === 'number' && value < 1000 ? Math.round(value * 1000) : value;
}
