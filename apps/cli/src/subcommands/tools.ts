import { createToolRegistry, Mode, type Tool, toToolOffer, UsageError } from '@signalbox/core';
import { catalogue } from '@signalbox/tools';
import * as z from 'zod';
import { defineSubcommand } from '../frame/define-subcommand.ts';
import { EXIT } from '../frame/exit-code.ts';
import { nearest } from '../frame/nearest.ts';
import { toolsView, toolView } from '../views/tools-view.ts';

/** `signalbox tools`: what providers may call; with a name its arguments too. */
export const tools = defineSubcommand({
  name: 'tools',
  args: z.object({ name: z.string().optional(), mode: z.string().toUpperCase().pipe(Mode).optional() }),
  async run({ name, mode }, context) {
    const registry = createToolRegistry(catalogue());
    if (name === undefined) {
      const listed = registry.list(mode);
      context.answer({
        json: () => ({ tools: listed.map(toData) }),
        lines: (look) => toolsView(listed, look),
      });
      return EXIT.ok;
    }
    const tool = registry.get(name);
    if (tool === undefined) {
      const meant = nearest(
        name,
        registry.list().map((one) => one.name),
      );
      throw new UsageError('unknown-tool', `Cannot find tool "${name}"`, {
        next: [...(meant === undefined ? [] : [`did you mean: signalbox tools ${meant}`]), 'signalbox tools'],
      });
    }
    context.answer({ json: () => toData(tool), lines: (look) => toolView(tool, look) });
    return EXIT.ok;
  },
});

function toData(tool: Tool): unknown {
  const {
    name,
    aliases,
    description,
    kind,
    category,
    risk,
    policy,
    allowedModes,
    requiresSandbox,
    timeoutMs,
  } = tool;
  const { inputSchema } = toToolOffer(tool);
  return {
    name,
    aliases,
    description,
    kind,
    category,
    risk,
    policy,
    modes: allowedModes,
    requiresSandbox,
    timeoutMs,
    inputSchema,
  };
}
