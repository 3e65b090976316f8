import * as z from 'zod';

/** A regular expression without look-around and back-references; it is searched in a line. */
const LinePattern = z.string().min(1).max(512);
const LinePatterns = z.array(LinePattern).max(50).default([]);
const lineCount = z.int().min(0).max(100_000);

/** The programs that a filter is for, by one key: the whole command, its first words, or an expression. */
const FilterMatcher = z.union([
  z.strictObject({ exact: z.string().min(1).max(1024) }),
  z.strictObject({ prefix: z.string().min(1).max(1024) }),
  z.strictObject({ regex: LinePattern }),
]);
export type FilterMatcher = z.infer<typeof FilterMatcher>;

/** A filter of the settings (S001-49). Lines that look like errors, warnings or security notes stay in any case. */
export const DeclaredFilter = z.strictObject({
  match: z.union([FilterMatcher, z.array(FilterMatcher).min(1).max(20)]),
  /** Lines to leave out. */
  strip: LinePatterns,
  /** If not empty, only these lines stay, with `context` lines around each. */
  keep: LinePatterns,
  context: z.int().min(0).max(20).default(2),
  /** Lines in a row that become one with their number: `equal` ones, or also those that differ only in numbers. */
  fold: z.enum(['equal', 'similar']).default('equal'),
  /** Of what is left: the first and last lines that stay; `null`: no bound. */
  head: lineCount.nullable().default(null),
  tail: lineCount.nullable().default(null),
  /** The line with which the output ends; the filter then has full confidence. */
  summary: LinePattern.optional(),
});
export type DeclaredFilter = z.infer<typeof DeclaredFilter>;

/** What a model reads of a command's output. People, the history and the audit keep all of it. */
export const FiltersSettings = z.strictObject({
  enabled: z.boolean().default(true),
  /** Shortens the home folder to `~`, the workspace below it to `.`, and the name of its owner in other paths (S001-46). */
  hide_paths: z.boolean().default(true),
  /** Names of filters that are not used. */
  off: z.array(z.string().min(1).max(64)).max(100).default([]),
  /** Providers whose models read everything. */
  except_providers: z.array(z.string().min(1).max(64)).max(100).default([]),
  /** Filters of your own, by name; they are tried in order, before the built-in ones. */
  define: z
    .record(z.string().regex(/^[a-z][a-z0-9-]{0,63}$/, 'lower-case letters, digits and "-"'), DeclaredFilter)
    .default({}),
});
export type FiltersSettings = z.infer<typeof FiltersSettings>;
