export { createMcpFactory, type McpFactory, TOOL_PREFIX } from './create-mcp-factory.ts';
export type { McpCaller, McpHouse, McpOffer } from './mcp-house.ts';
export { serveMcpStdio } from './serve-stdio.ts';
