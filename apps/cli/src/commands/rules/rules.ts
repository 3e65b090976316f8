import * as z from 'zod';
import { DurationArgument, LineArgument } from '../table/argument-schemas.ts';
import { defineSubcommand } from '../table/define-subcommand.ts';

/** `signalbox rules list|add|remove|trust|reads`: the user's own rules. */
export const rules = defineSubcommand({
  name: 'rules',
  args: z.object({
    action: z.enum(['list', 'add', 'remove', 'trust', 'reads']).default('list'),
    id: z.string().optional(),
    line: LineArgument.optional(),
    ruling: z.enum(['allow', 'ask', 'deny']).default('allow'),
    because: z.string().optional(),
    expires: DurationArgument.optional(),
    file: z.enum(['user', 'local', 'workspace']).default('local'),
    unused: DurationArgument.optional(),
    yes: z.boolean().default(false),
  }),
  async run(given, context) {
    switch (given.action) {
      case 'list': {
        const { listRules } = await import('./list-rules.ts');
        return listRules({ unusedMs: given.unused }, context);
      }
      case 'add': {
        const { addRule } = await import('./add-rule.ts');
        return addRule({ ...given, endsInMs: given.expires }, context);
      }
      case 'remove': {
        const { removeRule } = await import('./remove-rule.ts');
        return removeRule(given, context);
      }
      case 'trust': {
        const { trustRules } = await import('./trust-rules.ts');
        return trustRules({ isAgreed: given.yes }, context);
      }
      case 'reads': {
        const { switchReads } = await import('./switch-reads.ts');
        return switchReads({ to: given.id, isAgreed: given.yes }, context);
      }
    }
  },
});
