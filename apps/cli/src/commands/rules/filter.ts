import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { filteredText } from '@signalbox/api';
import { errorText, ProviderId, UsageError } from '@signalbox/core';
import * as z from 'zod';
import { defineSubcommand } from '../table/define-subcommand.ts';
import { EXIT } from '../../runtime/contract/exit-code.ts';
import { createFilterLoader } from '../../runtime/load-output-filter.ts';
import { loadSettings } from '../../runtime/settings/load-settings.ts';
import { noteLine } from '../../runtime/settings/note-line.ts';
import { line, muted } from '../../terminal/line.ts';
import { outputView } from '../../views/command/output-view.ts';
import type { Context } from '../../runtime/contract/context.ts';

/** `signalbox filter test build.log --line 'make release'`: what a model would read of an output; runs nothing. */
export const filter = defineSubcommand({
  name: 'filter',
  args: z.object({
    action: z.enum(['test']),
    file: z.string(),
    line: z.string().optional(),
  }),
  async run({ file, line: shellLine }, context) {
    const { settings, fileNotes } = await loadSettings(context);
    context.say(fileNotes.map(noteLine));
    const printed = await textOf(file, context);
    const { printingPipes } = await import('@signalbox/policy');
    const { filter: apply } = await createFilterLoader(() => settings.filters)();
    const filtered = apply({
      pipes: shellLine === undefined ? [] : printingPipes(shellLine),
      provider: ProviderId.parse('you'),
      stdout: printed,
      stderr: '',
    });
    const text = filtered?.stdout ?? printed;
    const use = filtered?.use ?? null;
    context.answer({
      json: () => ({ filtered: use, text }),
      lines: () => outputView(text),
    });
    context.say([
      line(
        muted(
          use === null ? 'Nothing left out: a model reads all of it' : `For a model: ${filteredText(use)}`,
        ),
      ),
    ]);
    return EXIT.ok;
  },
});

async function textOf(file: string, context: Context): Promise<string> {
  if (file === '-') return context.readStdin();
  try {
    return await readFile(resolve(context.cwd, file), 'utf8');
  } catch (error) {
    throw new UsageError('usage', `Cannot read ${file}`, {
      why: [errorText(error)],
      next: ['signalbox output ID      prints what a command printed: save it to a file'],
    });
  }
}
