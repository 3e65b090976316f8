export { COMMAND_META } from './agent-answers.ts';
export { createMcpAgent, type McpAgent } from './create-mcp-agent.ts';
export type { McpCaller, McpRuntime, McpOffer } from './mcp-runtime.ts';
export { TOOL_PREFIX } from './tool-prefix.ts';
export { serveMcpStdio } from './serve-stdio.ts';
export { createStartFolder } from './start-folder.ts';
export { holderAmong } from './waiting-for.ts';
