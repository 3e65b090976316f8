import * as z from 'zod';
import { CommandParams } from './command.ts';
import { defineOperation } from '../operation.ts';

/** Bytes. */
export const MAX_OUTPUT_PAGE_BYTES = 1024 * 1024;

export const OutputPartView = z
  .object({
    text: z.string(),
    from: z.int().describe('First byte of the text in the stream'),
    to: z.int().describe('Where the next part begins'),
    totalBytes: z.int().describe('Size of the stored stream'),
    complete: z.boolean().describe('Whether the whole output is stored'),
  })
  .meta({ id: 'OutputPart' });
export type OutputPartView = z.infer<typeof OutputPartView>;

const Stream = z.enum(['stdout', 'stderr']).default('stdout');

/** A line of an output that contains the searched text. */
const OutputMatchView = z.object({
  at: z.int().describe('First byte of the line, as in `from` of the output'),
  line: z.int(),
  text: z.string().describe('The line without colours; a long one is cut around the match'),
});
export type OutputMatchView = z.infer<typeof OutputMatchView>;

export const OutputSearchView = z
  .object({
    matches: z.array(OutputMatchView).readonly(),
    next: z
      .object({ from: z.int(), line: z.int() })
      .nullable()
      .describe('Where to continue; null: everything was searched'),
  })
  .meta({ id: 'OutputSearch' });
export type OutputSearchView = z.infer<typeof OutputSearchView>;

export const readOutput = defineOperation('GET', '/api/commands/:id/output', {
  schema: {
    params: CommandParams,
    querystring: z.object({
      stream: Stream,
      from: z.coerce.number().int().default(0).describe('First byte wanted'),
      length: z.coerce
        .number()
        .int()
        .min(1)
        .max(MAX_OUTPUT_PAGE_BYTES)
        .default(256 * 1024),
    }),
    response: { 200: OutputPartView },
  },
});

export const searchOutput = defineOperation('GET', '/api/commands/:id/output/search', {
  schema: {
    params: CommandParams,
    querystring: z.object({
      stream: Stream,
      text: z.string().min(1).max(200),
      from: z.coerce.number().int().min(0).default(0).describe('`next.from` of the previous page'),
      line: z.coerce.number().int().min(1).default(1).describe('`next.line` of the previous page'),
      limit: z.coerce.number().int().min(1).max(500).default(100),
    }),
    response: { 200: OutputSearchView },
  },
});
