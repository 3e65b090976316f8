import type * as z from 'zod';
import type { Context } from '../../runtime/contract/context.ts';
import type { ExitCode } from '../../runtime/contract/exit-code.ts';

/** A subcommand that can be run. Its texts are in the table, which loads it. */
export type Subcommand = Readonly<{
  name: string;
  /** Validates the arguments, and runs. */
  run(given: unknown, context: Context): Promise<ExitCode>;
}>;

type Definition<Args> = Readonly<{
  name: string;
  /** Arguments and flags by their names in camel case; `line` is the text after `--`. */
  args: z.ZodType<Args>;
  /** Prints through its context and returns its exit code, so that its test is one call. */
  run(args: Args, context: Context): Promise<ExitCode>;
}>;

export function defineSubcommand<Args>(definition: Definition<Args>): Subcommand {
  return {
    name: definition.name,
    async run(given, context) {
      const parsed = definition.args.safeParse(given, { jitless: true });
      if (parsed.success) return definition.run(parsed.data, context);
      const { usageProblem } = await import('./usage-problem.ts');
      throw usageProblem(definition.name, given, parsed.error);
    },
  };
}
