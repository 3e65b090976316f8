import * as z from 'zod';
import { CommandParams } from './command.ts';
import { defineOperation } from './operation.ts';

/** Bytes. */
export const MOST_OUTPUT_AT_ONCE = 1024 * 1024;

export const OutputPartView = z
  .object({
    text: z.string(),
    from: z.int().describe('First byte of the text in the stream'),
    to: z.int().describe('Where the next part begins'),
    totalBytes: z.int().describe('Of the stream as it is kept'),
    complete: z.boolean().describe('Whether all that was printed is kept'),
  })
  .meta({ id: 'OutputPart' });
export type OutputPartView = z.infer<typeof OutputPartView>;

const Stream = z.enum(['stdout', 'stderr']).default('stdout');

/** A line of an output that contains the searched text. */
const OutputMatchView = z.object({
  at: z.int().describe('First byte of the line, as in `from` of the output'),
  line: z.int(),
  text: z.string().describe('The line without colours; of a long one what stands around the match'),
});
export type OutputMatchView = z.infer<typeof OutputMatchView>;

export const OutputSearchView = z
  .object({
    matches: z.array(OutputMatchView).readonly(),
    next: z
      .object({ from: z.int(), line: z.int() })
      .nullable()
      .describe('Where to go on; null: all was looked at'),
  })
  .meta({ id: 'OutputSearch' });
export type OutputSearchView = z.infer<typeof OutputSearchView>;

export const readOutput = defineOperation('GET', '/api/commands/:id/output', {
  params: CommandParams,
  querystring: z.object({
    stream: Stream,
    from: z.coerce.number().int().default(0).describe('First byte wanted'),
    length: z.coerce
      .number()
      .int()
      .min(1)
      .max(MOST_OUTPUT_AT_ONCE)
      .default(256 * 1024),
  }),
  response: { 200: OutputPartView },
});

export const searchOutput = defineOperation('GET', '/api/commands/:id/output/search', {
  params: CommandParams,
  querystring: z.object({
    stream: Stream,
    text: z.string().min(1).max(200),
    from: z.coerce.number().int().min(0).default(0).describe('`next.from` of the page before'),
    line: z.coerce.number().int().min(1).default(1).describe('`next.line` of the page before'),
    limit: z.coerce.number().int().min(1).max(500).default(100),
  }),
  response: { 200: OutputSearchView },
});
