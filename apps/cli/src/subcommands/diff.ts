import { type CommandRecord, createRedactor, type KeptChange, UsageError } from '@signalbox/core';
import * as z from 'zod';
import { DurationArgument, ProviderArgument } from '../frame/argument-schemas.ts';
import { defineSubcommand } from '../frame/define-subcommand.ts';
import { EXIT } from '../frame/exit-code.ts';
import { findCommand } from '../frame/find-command.ts';
import { withRecords } from '../frame/with-records.ts';
import type { Records } from '../house.ts';
import { idLabels } from '../screen/id-labels.ts';
import { as, BLANK, type Line, line, muted } from '../screen/line.ts';
import { type Look, timeOfDay } from '../screen/look.ts';
import { type FileDiff, fileDiff, patchView, statView, withoutGit } from '../views/changes-view.ts';

type Changed = Readonly<{ record: CommandRecord; files: readonly FileDiff[] }>;

/** No more commands are looked at: so many are kept. */
const MOST_COMMANDS = 1000;

/** `signalbox diff c9us`: what it changed. Without an id all that is kept, the oldest first. */
export const diff = defineSubcommand({
  name: 'diff',
  args: z.object({
    id: z.string().optional(),
    stat: z.boolean().default(false),
    by: z.enum(['command', 'provider']).default('command'),
    provider: ProviderArgument.optional(),
    since: DurationArgument.optional(),
  }),
  async run({ id, stat, by, provider, since }, context) {
    const redactor = createRedactor({ secrets: [] });
    const changed = await withRecords(context, async (records) => {
      if (id !== undefined) {
        const record = await findCommand(records.store, id);
        return [{ record, changes: await changesOf(record, records) }];
      }
      const from = since === undefined ? {} : { from: context.clock.now() - since };
      const filter = { ...from, ...(provider === undefined ? {} : { provider }), limit: MOST_COMMANDS };
      return changesOfAll((await records.store.list(filter)).toReversed(), records);
    });
    const all = changed.map(({ record, changes }) => ({
      record,
      files: withoutGit(changes).map((change) => fileDiff(change, redactor.redact)),
    }));
    context.answer({
      json: () => ({
        files: all.flatMap(({ record, files }) =>
          files.map((file) => ({ ...file, command: record.id, provider: record.context.provider })),
        ),
      }),
      lines: (look) => (stat ? stats(all, by, look) : patches(all, by, look)),
    });
    return EXIT.ok;
  },
});

async function changesOf(record: CommandRecord, { files }: Records): Promise<readonly KeptChange[]> {
  const changes = await files.changesOf(record.id);
  if (changes !== null) return changes;
  throw new UsageError('nothing-kept', `Cannot show what ${record.id} changed: nothing is kept of it`, {
    why: ['it changed no files, did not run as a transaction, or too much has happened since'],
    next: [`signalbox status ${record.id}`],
  });
}

async function changesOfAll(commands: readonly CommandRecord[], { files }: Records) {
  const found: { record: CommandRecord; changes: readonly KeptChange[] }[] = [];
  for (const record of commands) {
    const changes = await files.changesOf(record.id);
    if (changes !== null && changes.length > 0) found.push({ record, changes });
  }
  return found;
}

function stats(all: readonly Changed[], by: 'command' | 'provider', look: Look): readonly Line[] {
  const label = idLabels(
    all.map(({ record }) => record.id),
    look,
  );
  return statView(
    all.flatMap(({ record, files }) =>
      files.map((file) => ({ ...file, provider: record.context.provider, label: label(record.id) })),
    ),
    by,
  );
}

function patches(all: readonly Changed[], by: 'command' | 'provider', look: Look): readonly Line[] {
  const label = idLabels(
    all.map(({ record }) => record.id),
    look,
  );
  const groups =
    by === 'provider' ? [...Map.groupBy(all, ({ record }) => record.context.provider).values()] : [all];
  return groups
    .flat()
    .flatMap(({ record, files }) => [
      line(
        as('bold', label(record.id)),
        ' ',
        muted(record.context.provider),
        ` ${record.title}`,
        muted(record.endedAt === null ? '' : ` · ${timeOfDay(record.endedAt, look)}`),
      ),
      ...files.flatMap((file) => [
        ...patchView(file),
        ...(file.current ? [] : [line(muted('changed again since'))]),
      ]),
      line(muted(`undo: signalbox undo ${label(record.id)}`)),
      BLANK,
    ]);
}
