import { type Tool, type ToolHints, toOutputSchema, toToolOffer } from '@signalbox/core';
import type { McpOffer } from './mcp-runtime.ts';

/** Tools as agents read them. */
export function offersOf(tools: Iterable<Tool>): readonly McpOffer[] {
  return [...tools].map((tool) => ({
    ...toToolOffer(tool),
    outputSchema: toOutputSchema(tool),
    title: titleOf(tool.name),
    isBuiltIn: tool.kind === 'builtin',
    hints: hintsOf(tool),
  }));
}

/** `run_tests`: "Run tests"; `mcp__notes__add_note`: "notes: add note". */
function titleOf(name: string): string {
  const [first = '', server, ...rest] = name.split('__');
  if (server !== undefined && first === 'mcp') return `${server}: ${rest.join(' ').replaceAll('_', ' ')}`;
  const words = name.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The default hints of its category, overridden by the tool's own. */
function hintsOf({ category, hints }: Tool): ToolHints {
  const readOnly = hints?.readOnly ?? (category === 'read_only' || category === 'internal');
  return {
    readOnly,
    destructive: category === 'system_write' || category === 'execute',
    idempotent: readOnly,
    openWorld: category === 'network' || category === 'execute',
    ...hints,
  };
}
