import * as z from 'zod';
import { defineSubcommand } from '../frame/define-subcommand.ts';
import { EXIT } from '../frame/exit-code.ts';
import { completionScript } from '../table/completion-script.ts';

/** `signalbox completion bash`: a script made from the table of subcommands. */
export const completion = defineSubcommand({
  name: 'completion',
  args: z.object({ shell: z.enum(['bash', 'zsh', 'fish']) }),
  async run({ shell }, { write }) {
    write(completionScript(shell));
    return EXIT.ok;
  },
});
