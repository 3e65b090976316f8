export { TOOL_PREFIX } from './agent-answers.ts';
export { createMcpAgent, type McpAgent, PATIENCE_WITH_PROGRESS_MS } from './create-mcp-agent.ts';
export type { McpCaller, McpHouse, McpOffer } from './mcp-house.ts';
export { serveMcpStdio } from './serve-stdio.ts';
