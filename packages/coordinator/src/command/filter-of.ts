import {
  CommandId,
  type CommandRecord,
  createPathHiding,
  type Json,
  type PrintingPipe,
} from '@signalbox/core';
import { printingPipes } from '@signalbox/policy';
import type { CoordinatorOptions } from '../coordinator-options.ts';
import { READ_OUTPUT } from './result-text.ts';
import type { RunnerDependencies } from './runner-dependencies.ts';

type Options = Pick<
  CoordinatorOptions,
  'outputFilter' | 'tools' | 'lines' | 'logger' | 'store' | 'workspace' | 'home'
>;

/** Shortens outputs by the programs that printed them. A filter that can't be loaded leaves all of an output. */
export function createFilterOf({
  outputFilter,
  tools,
  lines,
  logger,
  store,
  ...paths
}: Options): Pick<RunnerDependencies, 'filterOf' | 'hidePathsOf'> {
  const hidePaths = createPathHiding(paths);

  function pipesOf({ call }: CommandRecord): readonly PrintingPipe[] {
    const line = tools.get(call.tool)?.shellLine?.(call.args, lines).line;
    if (line !== undefined) return printingPipes(line);
    // A tool that starts one program is named after it: `git_diff`.
    return [[[[...call.tool.split('_'), ...textsIn(Object.values(call.args))]]]];
  }

  /** The command whose output it shows: itself, unless it reads an earlier one's. */
  async function printerOf(record: CommandRecord): Promise<CommandRecord | null> {
    if (record.call.tool !== READ_OUTPUT) return record;
    const { data: id } = CommandId.safeParse(record.call.args['command']);
    return id === undefined ? null : store.get(id);
  }

  return {
    async filterOf(record) {
      if (outputFilter === undefined) return undefined;
      const { provider } = record.context;
      try {
        const { filter } = await outputFilter();
        const pipes = pipesOf(record);
        return (streams) => filter({ ...streams, pipes, provider });
      } catch (error) {
        logger.warn({ commandId: record.id, error }, 'output not filtered');
        return undefined;
      }
    },

    async hidePathsOf(record) {
      if (outputFilter === undefined) return undefined;
      try {
        const printer = await printerOf(record);
        if (printer === null || tools.get(printer.call.tool)?.shellLine === undefined) return undefined;
        const { hidesPaths } = await outputFilter();
        return hidesPaths(pipesOf(printer)) ? hidePaths : undefined;
      } catch (error) {
        logger.warn({ commandId: record.id, error }, 'paths not hidden');
        return undefined;
      }
    },
  };
}

function textsIn(values: readonly Json[]): readonly string[] {
  return values.flat().filter((value) => typeof value === 'string');
}
