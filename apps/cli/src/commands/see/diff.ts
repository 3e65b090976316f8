import { undoneBy } from '@signalbox/coordinator';
import { type CommandRecord, UsageError } from '@signalbox/core';
import * as z from 'zod';
import { DurationArgument, ProviderArgument } from '../table/argument-schemas.ts';
import { defineSubcommand } from '../table/define-subcommand.ts';
import { EXIT } from '../../runtime/contract/exit-code.ts';
import { findCommand } from '../../client/readers/find-command.ts';
import { withReader } from '../../client/readers/with-reader.ts';
import { idLabels } from '../../terminal/id-labels.ts';
import { as, BLANK, type Line, line, muted } from '../../terminal/line.ts';
import { type RenderContext, timeOfDay } from '../../terminal/render-context.ts';
import type { Reader } from '../../client/readers/reader.ts';
import { patchView, sinceThen, statView, withoutGit } from '../../views/command/changes-view.ts';
import type { ShownDiff } from '../../runtime/contract/file-diff.ts';

type Changed = Readonly<{ record: CommandRecord; files: readonly ShownDiff[] }>;
/** What happened later to a command's version of a file. */
type Since = (record: CommandRecord, file: ShownDiff) => ReturnType<typeof sinceThen>;

/** Only this many of the newest commands are searched. */
const MAX_COMMANDS = 1000;

/** `signalbox diff c9us`: its changes. Without an id all kept ones, oldest first. */
export const diff = defineSubcommand({
  name: 'diff',
  args: z.object({
    id: z.string().optional(),
    stat: z.boolean().default(false),
    by: z.enum(['command', 'provider']).default('command'),
    provider: ProviderArgument.optional(),
    since: DurationArgument.optional(),
  }),
  async run({ id, stat, by, provider, since: ago }, context) {
    const { changed, since } = await withReader(context, async (reader) => {
      const newest = await reader.commands.list({ limit: MAX_COMMANDS });
      const undone = undoneBy(newest);
      const sinceOf: Since = (record, file) => sinceThen(file, undone(record.id, file));
      if (id !== undefined) {
        const record = await findCommand(reader.commands, id);
        return { changed: [{ record, files: await changesOf(record, reader) }], since: sinceOf };
      }
      const from = ago === undefined ? {} : { from: context.clock.now() - ago };
      const filter = { ...from, ...(provider === undefined ? {} : { provider }), limit: MAX_COMMANDS };
      const all = (await reader.commands.list(filter)).toReversed();
      return { changed: await changesOfAll(all, reader), since: sinceOf };
    });
    const all = changed
      .map(({ record, files }) => ({ record, files: withoutGit(files) }))
      // A failed commit left something in git, but changed no file.
      .filter(({ record, files }) => id !== undefined || files.length > 0 || hasSucceeded(record));
    context.json({
      git: all.flatMap(({ record }) =>
        (record.result?.git ?? []).map((text) => ({ command: record.id, text })),
      ),
      files: all.flatMap(({ record, files }) =>
        files.map((file) => ({ ...file, command: record.id, provider: record.context.provider })),
      ),
    });
    const view = stat ? stats : patches;
    await context.page(
      all.length === 0
        ? [line('No changes are stored.')]
        : view(all, { by, since, render: context.render() }),
    );
    return EXIT.ok;
  },
});

async function changesOf(record: CommandRecord, reader: Reader): Promise<readonly ShownDiff[]> {
  const changes = await reader.changesOf(record.id);
  if (changes !== null) return changes;
  throw new UsageError('nothing-kept', `Cannot show what ${record.id} changed: its changes are not stored`, {
    why: [
      'it changed no files, did not run as a transaction, or its copies were dropped (execution.history_max_age, execution.history_max_mb)',
    ],
    next: [`signalbox status ${record.id}`],
  });
}

async function changesOfAll(commands: readonly CommandRecord[], reader: Reader) {
  const found: Changed[] = [];
  for (const record of commands) {
    const files = await reader.changesOf(record.id);
    if (files !== null && files.length > 0) found.push({ record, files });
  }
  return found;
}

function hasSucceeded({ result }: CommandRecord): boolean {
  return result?.outcome.kind === 'completed' && (result.exitCode ?? 0) === 0;
}

type View = Readonly<{ by: 'command' | 'provider'; since: Since; render: RenderContext }>;

function stats(all: readonly Changed[], { by, since, render }: View): readonly Line[] {
  const label = idLabels(
    all.map(({ record }) => record.id),
    render,
  );
  return statView(
    all.flatMap(({ record, files }) =>
      files.map((file) => ({
        ...file,
        provider: record.context.provider,
        label: label(record.id),
        since: since(record, file),
      })),
    ),
    by,
    render,
  );
}

function patches(all: readonly Changed[], { by, since, render }: View): readonly Line[] {
  const label = idLabels(
    all.map(({ record }) => record.id),
    render,
  );
  const groups =
    by === 'provider' ? [...Map.groupBy(all, ({ record }) => record.context.provider).values()] : [all];
  return groups.flat().flatMap(({ record, files }) => [
    line(
      as('bold', label(record.id)),
      ' ',
      muted(record.context.provider),
      ` ${record.title}`,
      muted(record.endedAt === null ? '' : ` · ${timeOfDay(record.endedAt, render)}`),
    ),
    ...files.flatMap((file) => {
      const became = since(record, file);
      return [...patchView(file), ...(became === null ? [] : [line(as('warn', became))])];
    }),
    ...(record.result?.git ?? []).map((changed) => line(muted('git '), changed)),
    ...(files.length > 0 && files.every((file) => since(record, file) === 'undone since')
      ? []
      : [line(muted(`undo: signalbox undo ${label(record.id)}`))]),
    BLANK,
  ]);
}
