import * as z from 'zod';

/**
 * How well a filter knows the output (S001-45). `full`: it found the summary with which the program ends its output.
 * `partial`: it left lines out, but found no summary, or cut the middle. `fallback`: it failed; nothing was left out.
 */
export const FilterConfidence = z.enum(['full', 'partial', 'fallback']);
export type FilterConfidence = z.infer<typeof FilterConfidence>;

/** What the text for the model leaves out of a command's output. Counts are of both streams; tokens are estimates. */
export const FilterUse = z
  .strictObject({
    /** Names of the filters, joined by `+`. */
    filter: z.string(),
    confidence: FilterConfidence,
    /** Lines that the model reads. */
    keptLines: z.int().min(0),
    /** Lines that were printed. */
    lines: z.int().min(0),
    keptTokens: z.int().min(0),
    savedTokens: z.int().min(0),
  })
  .readonly();
export type FilterUse = z.infer<typeof FilterUse>;
