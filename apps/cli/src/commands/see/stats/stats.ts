import type { RuleSuggestion } from '@signalbox/coordinator';
import type { CommandRecord } from '@signalbox/core';
import * as z from 'zod';
import { CountArgument, DurationArgument } from '../../table/argument-schemas.ts';
import { defineSubcommand } from '../../table/define-subcommand.ts';
import { EXIT } from '../../../runtime/contract/exit-code.ts';
import { withReader } from '../../../client/readers/with-reader.ts';
import { BLANK, type Line } from '../../../terminal/line.ts';
import type { RenderContext } from '../../../terminal/render-context.ts';
import type { Reader } from '../../../client/readers/reader.ts';
import { fileStatsOf, filterStatsOf, slowestOf, toolStatsOf } from './kinds-of-stats.ts';
import { offerRemedy } from '../offer-remedy.ts';
import { fileStatsView, filterStatsView, slowestView, statsView, toolStatsView } from './stats-view.ts';

/** More than any history keeps. */
const ALL = 10_000_000;

/** `signalbox stats --since 1h`: totals by provider, tool, file or filter, over the kept history. */
export const stats = defineSubcommand({
  name: 'stats',
  args: z.object({
    since: DurationArgument.optional(),
    by: z.enum(['provider', 'tool', 'file', 'filter']).default('provider'),
    slowest: CountArgument.optional(),
  }),
  async run({ since, by, slowest }, context) {
    const from = since === undefined ? undefined : context.clock.now() - since;
    const { numbers, slow } = await withReader(context, async (reader) => {
      const ended = readOnce(reader, from);
      return {
        numbers: await numbersBy(by, { reader, from, ended }),
        slow: slowest === undefined ? undefined : slowestOf(await ended(), slowest),
      };
    });
    context.answer({
      json: () => ({ ...numbers.json, ...(slow === undefined ? {} : { slowest: slow }) }),
      lines: (render) => [
        ...numbers.lines(render),
        ...(slow === undefined ? [] : [BLANK, ...slowestView(slow, render)]),
      ],
    });
    if (numbers.remedy !== null && context.flags.server === undefined)
      await offerRemedy(numbers.remedy, context);
    return EXIT.ok;
  },
});

type Numbers = Readonly<{
  remedy: RuleSuggestion | null;
  json: object;
  lines: (render: RenderContext) => readonly Line[];
}>;

async function numbersBy(
  by: 'provider' | 'tool' | 'file' | 'filter',
  {
    reader,
    from,
    ended,
  }: Readonly<{ reader: Reader; from: number | undefined; ended: () => Promise<readonly CommandRecord[]> }>,
): Promise<Numbers> {
  switch (by) {
    case 'provider': {
      const read = await reader.stats(from);
      return { remedy: read.remedy, json: read, lines: (render) => statsView(read, render) };
    }
    case 'tool': {
      const tools = toolStatsOf(await ended());
      return { remedy: null, json: { tools }, lines: (render) => toolStatsView(tools, render) };
    }
    case 'file': {
      const files = fileStatsOf(await ended());
      return { remedy: null, json: { files }, lines: (render) => fileStatsView(files, render) };
    }
    case 'filter': {
      const filters = filterStatsOf(await ended());
      return { remedy: null, json: { filters }, lines: (render) => filterStatsView(filters, render) };
    }
  }
}

/** The finished commands, read on first use. */
function readOnce(reader: Reader, from: number | undefined): () => Promise<readonly CommandRecord[]> {
  let read: Promise<readonly CommandRecord[]> | undefined;
  return () => {
    read ??= reader
      .history({ limit: ALL, ...(from === undefined ? {} : { from }) })
      .then(({ commands }) => commands);
    return read;
  };
}
