import { Mode, ProviderId, UsageError } from '@signalbox/core';
import * as z from 'zod';
import {
  CountArgument,
  DurationArgument,
  LineArgument,
  ProviderArgument,
} from '../table/argument-schemas.ts';
import { defineSubcommand } from '../table/define-subcommand.ts';

const OnlyArgument = z
  .enum(['changed', 'flips', 'looser', 'stricter', 'allow', 'ask', 'deny'])
  .transform((only) => (only === 'changed' ? 'flips' : only));

const WEEK_MS = 7 * 86_400_000;

/** `signalbox policy explain|test|check|replay|judge|import`. */
export const policy = defineSubcommand({
  name: 'policy',
  args: z.object({
    action: z.enum(['explain', 'test', 'check', 'replay', 'judge', 'import']),
    what: z.string().optional(),
    fromFile: z.string().optional(),
    line: LineArgument.optional(),
    trace: z.boolean().default(false),
    provider: ProviderArgument.default(ProviderId.parse('you')),
    mode: z.string().toUpperCase().pipe(Mode).optional(),
    cwd: z.string().default('.'),
    rule: z.string().optional(),
    strict: z.boolean().default(false),
    since: DurationArgument.default(WEEK_MS),
    with: z.string().optional(),
    replay: CountArgument.optional(),
    attacks: z.boolean().default(false),
    only: OnlyArgument.default('flips'),
    watch: z.boolean().default(false),
    print: z.boolean().default(true),
  }),
  async run(given, context) {
    const { action, what, line } = given;
    if (line !== undefined && action !== 'explain') {
      throw new UsageError('usage', `Cannot use a shell line for "policy ${action}"`, {
        next: ["signalbox policy explain -- 'git push'"],
      });
    }
    switch (action) {
      case 'explain': {
        const { explainPolicy } = await import('./explain-policy.ts');
        return explainPolicy({ ...given, id: what, line, mode: given.mode }, context);
      }
      case 'test': {
        const { testPolicy } = await import('./test-policy.ts');
        return testPolicy({ rule: given.rule ?? what, watch: given.watch }, context);
      }
      case 'check': {
        const { checkPolicy } = await import('./check-policy.ts');
        return checkPolicy({ file: what, strict: given.strict }, context);
      }
      case 'replay': {
        const { replayPolicy } = await import('./replay-policy.ts');
        return replayPolicy({ since: given.since, file: given.with ?? what, only: given.only }, context);
      }
      case 'judge': {
        if (!given.attacks) {
          const { replayJudge } = await import('./judge/replay-judge.ts');
          return replayJudge(given, context);
        }
        if (given.replay !== undefined) {
          throw new UsageError(
            'usage',
            'Cannot use --replay with --attacks: each is a measurement of its own',
            {
              next: ['signalbox policy judge --attacks', 'signalbox policy judge --replay 50'],
            },
          );
        }
        const { attackJudge } = await import('./judge/attack-judge.ts');
        return attackJudge(context);
      }
      case 'import': {
        const { importPolicy } = await import('./import-policy.ts');
        return importPolicy({ from: what, file: given.fromFile }, context);
      }
    }
  },
});
