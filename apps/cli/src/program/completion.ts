import { UsageError } from '@signalbox/core';
import * as z from 'zod';
import { offerIds } from './offer-ids.ts';
import { defineSubcommand } from '../commands/table/define-subcommand.ts';
import { EXIT } from '../runtime/contract/exit-code.ts';
import { completionScript } from '../commands/table/completion-script.ts';

/** `signalbox completion bash`: a script generated from the table of subcommands, which queries ids here. */
export const completion = defineSubcommand({
  name: 'completion',
  args: z.object({ shell: z.enum(['bash', 'zsh', 'fish']).optional(), ids: z.string().optional() }),
  async run({ shell, ids }, context) {
    if (ids !== undefined) {
      const offers = await offerIds(ids, context);
      if (context.flags.json) context.json({ ids: offers });
      else context.write(offers.map(({ id, what }) => `${id}\t${what}\n`).join(''));
      return EXIT.ok;
    }
    if (shell === undefined) {
      throw new UsageError('usage', 'Cannot print a script: name your shell', {
        next: ['signalbox completion bash', 'signalbox completion zsh', 'signalbox completion fish'],
      });
    }
    context.write(completionScript(shell));
    return EXIT.ok;
  },
});
