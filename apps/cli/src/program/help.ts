import { nearestWord, UsageError } from '@signalbox/core';
import * as z from 'zod';
import { defineSubcommand } from '../commands/table/define-subcommand.ts';
import { EXIT } from '../runtime/contract/exit-code.ts';
import { mainHelp, subcommandHelp } from '../commands/table/help-text.ts';
import { findRow, subcommandTable } from '../commands/table/subcommand-table.ts';

/** `signalbox help run`: the pages that `--help` shows. */
export const help = defineSubcommand({
  name: 'help',
  args: z.object({ subcommand: z.string().optional() }),
  async run({ subcommand }, { page }) {
    if (subcommand === undefined) {
      await page(mainHelp());
      return EXIT.ok;
    }
    const row = findRow(subcommand);
    if (row === undefined) {
      const meant = nearestWord(
        subcommand,
        subcommandTable.map(({ name }) => name),
      );
      throw new UsageError('usage', `Cannot find subcommand "${subcommand}"`, {
        next: [meant === undefined ? 'signalbox --help' : `did you mean: signalbox help ${meant}`],
      });
    }
    await page(subcommandHelp(row));
    return EXIT.ok;
  },
});
