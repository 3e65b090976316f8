import type { CommandRecord, Json, PrintingPipe } from '@signalbox/core';
import { printingPipes } from '@signalbox/policy';
import type { CoordinatorOptions } from '../coordinator-options.ts';
import type { RunnerDependencies } from './runner-dependencies.ts';

/** Shortens outputs by the programs that printed them. A filter that can't be loaded leaves all of an output. */
export function createFilterOf({
  outputFilter,
  tools,
  lines,
  logger,
}: Pick<CoordinatorOptions, 'outputFilter' | 'tools' | 'lines' | 'logger'>): RunnerDependencies['filterOf'] {
  function pipesOf({ call }: CommandRecord): readonly PrintingPipe[] {
    const line = tools.get(call.tool)?.shellLine?.(call.args, lines).line;
    if (line !== undefined) return printingPipes(line);
    // A tool that starts one program is named after it: `git_diff`.
    return [[[[...call.tool.split('_'), ...textsIn(Object.values(call.args))]]]];
  }

  return async (record) => {
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
  };
}

function textsIn(values: readonly Json[]): readonly string[] {
  return values.flat().filter((value) => typeof value === 'string');
}
