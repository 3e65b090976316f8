export { createMcpTools, type McpTools } from './create-mcp-tools.ts';
export { identityOf } from './identity-of.ts';
export { type ListedTool, readListing } from './listed-tool.ts';
export { createOpenClient, type McpClient, type OpenClient } from './open-client.ts';
export { storedLetRun, type StoredServer, storedServer } from './stored-servers.ts';
export { toTool } from './to-tool.ts';
