import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import type { Logger } from '@signalbox/core';
import type { McpAgent } from './create-mcp-agent.ts';

/**
 * Serves the agent that started this process over its standard input and output.
 *
 * `closed` settles when the agent has gone; `close` settles when the calls it was waiting for are cancelled.
 */
export function serveMcpStdio(
  agent: McpAgent,
  logger: Logger,
): { readonly closed: Promise<void>; close(): Promise<void> } {
  const transport = new StdioServerTransport();
  const handle = serveStdio(() => agent.serve({ lasts: true }), {
    transport,
    onerror: (error) => logger.warn({ error }, 'message of an agent not served'),
  });
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  const closing = transport.onclose?.bind(transport);
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- a transport of the SDK is no event target
  transport.onclose = () => {
    closing?.();
    resolve();
  };
  return {
    closed,
    async close() {
      await handle.close();
      await agent.leave();
    },
  };
}
