import { resolve } from 'node:path';
import { Mode, ProviderId, type Ruling } from '@signalbox/core';
import * as z from 'zod';
import { LineArgument, ProviderArgument } from '../table/argument-schemas.ts';
import type { Context } from '../../runtime/contract/context.ts';
import { defineSubcommand } from '../table/define-subcommand.ts';
import { EXIT, type ExitCode } from '../../runtime/contract/exit-code.ts';
import { failureOfLine } from '../../runtime/failure-of-line.ts';
import { judgeLine } from './judge-line.ts';
import { loadSettings } from '../../runtime/settings/load-settings.ts';
import { trustOf } from '../../runtime/rules/trust-of.ts';
import { checkView } from '../../views/command/check-view.ts';
import { noteLine } from '../../runtime/settings/note-line.ts';

/** `signalbox check -- 'git push -f'`: evaluates the policy, runs nothing and takes no lease. */
export const check = defineSubcommand({
  name: 'check',
  args: z.object({
    line: LineArgument,
    provider: ProviderArgument.default(ProviderId.parse('you')),
    mode: z.string().toUpperCase().pipe(Mode).optional(),
    cwd: z.string().default('.'),
  }),
  async run({ line, provider, mode, cwd }, context) {
    const { settings, fileNotes } = await loadSettings(context);
    context.say(fileNotes.map(noteLine));
    const asked = { line, cwd: resolve(context.cwd, cwd), workspace: context.directory, settings };
    const judged = judgeLine({
      ...asked,
      provider,
      mode: mode ?? (await currentMode(context)) ?? settings.mode,
      trust: trustOf(provider, settings),
      sandboxed: true,
    });
    const { verdict, ruling } = judged;
    // As in a real call: a line that can't succeed needs no approval.
    const failure = await failureOfLine({ ...asked, verdict, ruling, path: context.env['PATH'] });
    const answer = { ...judged, failure };
    context.answer({ json: () => answer, lines: (render) => checkView({ ...answer, provider }, render) });
    return failure === null ? EXIT_OF[ruling.kind] : EXIT.failed;
  },
});

const EXIT_OF: Readonly<Record<Ruling['kind'], ExitCode>> = {
  allow: EXIT.ok,
  ask: EXIT.needsApproval,
  deny: EXIT.denied,
};

/** The mode of the workspace, if anything ever ran in it. */
async function currentMode({ entry, directory }: Context): Promise<Mode | undefined> {
  const records = await entry.openRecords({ workspace: directory });
  try {
    return (await records?.mode())?.mode;
  } finally {
    await records?.close();
  }
}
