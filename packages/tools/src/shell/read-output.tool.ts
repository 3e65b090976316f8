import { defineTool, type OutputPart, type OutputQuery } from '@signalbox/core';
import * as z from 'zod';

const MAX_LINES = 2000;

const Args = z
  .strictObject({
    command: z.string().min(1).max(64).describe('The command id from the result: cmd_…'),
    stream: z.enum(['stdout', 'stderr']).default('stdout'),
    first_line: z.int().min(1).optional().describe('First line; default: 1'),
    tail: z.int().min(1).max(MAX_LINES).optional().describe('Instead, this many of the last lines'),
    search: z
      .string()
      .min(1)
      .max(200)
      .optional()
      .describe('Only lines that contain this text, ignoring case'),
    max_lines: z.int().min(1).max(MAX_LINES).default(200),
  })
  .refine(
    ({ first_line, tail, search }) =>
      [first_line, tail, search].filter((one) => one !== undefined).length <= 1,
    {
      error: 'Give one of first_line, tail and search',
    },
  );
type Args = z.infer<typeof Args>;

export const readOutput = defineTool({
  name: 'read_output',
  aliases: ['read_overflow'],
  description:
    'Reads what an earlier command of yours printed, when its answer was cut: lines from first_line on, the last lines with tail, or lines that contain a text with search. Line numbers are those of the full output.',
  requestKind: 'other',
  category: 'internal',
  risk: 'low',
  retryable: true,
  isExempt: true,
  args: Args,
  output: z.string(),
  describe: ({ command, stream }) => (stream === 'stdout' ? command : `${command} ${stream}`),
  effects: () => [],
  async handle(args, { outputs }) {
    const part = partOf(args);
    const maxLines = args.tail ?? args.max_lines;
    const read = await outputs.read({ command: args.command, stream: args.stream, part, maxLines });
    const numbered = part.kind === 'search';
    const lines = read.lines.map(({ line, text }) => (numbered ? `${line}: ${text}` : text));
    const output = [...heads(args, read), ...lines].join('\n');
    return read.untrusted === undefined ? { output } : { output, untrusted: read.untrusted };
  },
});

function partOf({ first_line, tail, search }: Args): OutputQuery['part'] {
  if (search !== undefined) return { kind: 'search', text: search };
  return tail === undefined ? { kind: 'from', firstLine: first_line ?? 1 } : { kind: 'tail' };
}

/** Our own lines before the output. */
function heads({ command, stream, search }: Args, read: OutputPart): readonly string[] {
  const of = `${stream} of ${command}`;
  const why = read.cut === null ? [] : [`[${CUT[read.cut]}]`];
  if (search !== undefined) {
    const more = read.nextLine === null ? '' : `; more from line ${read.nextLine} on`;
    const count = read.lines.length === 1 ? '1 line' : `${read.lines.length} lines`;
    return [...why, `[${count} of ${of} with ${JSON.stringify(search)}${more}]`];
  }
  const [first] = read.lines;
  const last = read.lines.at(-1);
  if (first === undefined || last === undefined) {
    const total = read.totalLines ?? 0;
    return [...why, total === 0 ? `[${of} is empty]` : `[${of} ends at line ${total}]`];
  }
  const total = read.totalLines === null ? '' : ` of ${read.totalLines}`;
  const more = read.nextLine === null ? '' : `; continue with first_line ${read.nextLine}`;
  return [...why, `[lines ${first.line} to ${last.line}${total}, ${of}${more}]`];
}

const CUT: Readonly<Record<NonNullable<OutputPart['cut']>, string>> = {
  'no-longer-kept':
    'The full output is no longer stored: these lines are from its head and tail, and numbered so',
  'too-long':
    'The full output was too long to store (over 128 MiB): these lines are from its head and tail, and numbered so',
};
