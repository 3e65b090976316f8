import * as z from 'zod';
import { canonicalToolName, ToolPattern } from '../tools/canonical-tool-name.ts';
import { PathPattern } from './path-pattern.ts';

/** Effects that a rule can match; paths have their own key. */
export const RuleEffect = z.enum([
  'read',
  'write',
  'delete',
  'write-unknown',
  'network',
  'process',
  'secret',
  'repository-code',
]);

/** A pattern of one word: `*` in it matches any characters of that word, `**` any number of words. */
const WordPattern = z.string().min(1).max(1024);

const Keys = z.strictObject({
  /** Name of a program, as a whole word: `npm` is neither `npmx` nor `./npm`. */
  program: z
    .string()
    .regex(/^[^\s*?]{1,128}$/, { error: 'must be the name of one program, without arguments' })
    .optional(),
  /** Its words, in order. */
  args: z.array(WordPattern).max(64).optional(),
  /** The whole shell line, verbatim. */
  line: z.string().min(1).max(16_384).optional(),
  /** A regular expression, searched in the shell line. */
  pattern: z.string().min(1).max(512).optional(),
  tool: ToolPattern.optional(),
  /** Files that the call would touch. */
  path: PathPattern.optional(),
  effect: RuleEffect.optional(),
  /** For `effect: network`: this machine and those below its name. */
  host: z
    .string()
    .regex(/^[a-z0-9.-]{1,253}$/i, { error: 'must be the name of a machine, such as example.com' })
    .optional(),
});

/** What a rule matches, by one of its keys. */
export type RuleMatcher =
  | { readonly kind: 'program'; readonly program: string; readonly args: readonly string[] | null }
  | { readonly kind: 'line'; readonly line: string }
  | { readonly kind: 'pattern'; readonly pattern: string }
  | { readonly kind: 'files'; readonly tool: string | null; readonly path: string | null }
  | {
      readonly kind: 'effect';
      readonly effect: z.infer<typeof RuleEffect>;
      readonly host: string | null;
      /**
       * For read, write and delete: files that the effect must touch. `write` then means every change, deleting too.
       */
      readonly path: string | null;
    };

/** Effects that may be combined with a path. */
const ON_FILES: ReadonlySet<string> = new Set(['read', 'write', 'delete']);

const ONE_OF = 'program, line, pattern, tool, path or effect';

export const RuleMatcher = Keys.transform((keys, context): RuleMatcher => {
  // Report the misspelt key, not the one that is missing.
  if (context.issues.length > 0) return z.NEVER;
  const { program, args, line, pattern, tool, path, effect, host } = keys;
  const files = effect === undefined ? (tool ?? path) : tool;
  const given = [program, line, pattern, files, effect].filter((value) => value !== undefined);
  if (given.length !== 1)
    return refuse(`must have exactly one of ${ONE_OF}; a path goes together with tool or effect`);
  if (args !== undefined && program === undefined) return refuse('has args, but no program');
  if (host !== undefined && effect !== 'network') return refuse('has a host, but not effect: network');
  if (effect !== undefined && path !== undefined && !ON_FILES.has(effect))
    return refuse(`has a path, but effect: ${effect} has no path; a path goes with read, write and delete`);
  if (program !== undefined) return { kind: 'program', program, args: args ?? null };
  if (line !== undefined) return { kind: 'line', line: line.trim() };
  if (pattern !== undefined) return { kind: 'pattern', pattern };
  if (effect !== undefined)
    return { kind: 'effect', effect, host: host?.toLowerCase() ?? null, path: path ?? null };
  return {
    kind: 'files',
    tool: tool === undefined ? null : canonicalToolName(tool),
    path: path ?? null,
  };

  function refuse(message: string): never {
    context.addIssue({ code: 'custom', message, input: keys });
    return z.NEVER;
  }
});
