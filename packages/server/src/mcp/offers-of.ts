import { type Tool, toToolOffer } from '@signalbox/core';
import type { McpOffer } from './mcp-house.ts';

/** What agents are offered: every registered tool. What each may do is judged when it calls. */
export function offersOf(tools: Iterable<Tool>): readonly McpOffer[] {
  return [...tools].map((tool) => ({
    ...toToolOffer(tool),
    hints: {
      readOnly: tool.category === 'read_only' || tool.category === 'internal',
      destructive: tool.category === 'system_write' || tool.category === 'execute',
      openWorld: tool.category === 'network' || tool.category === 'execute',
    },
  }));
}
