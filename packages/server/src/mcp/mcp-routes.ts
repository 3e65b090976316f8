import type { RouteParts, Routes } from '../routes/route-parts.ts';
import type { McpHttp } from './mcp-http.ts';

/** MCP over HTTP, at `/mcp`. Its modules are loaded with the first request, since most coordinators have none. */
export function mcpRoutes(app: Routes, parts: RouteParts): void {
  let opened: Promise<McpHttp> | null = null;
  const open = async (): Promise<McpHttp> => {
    try {
      return (await import('./mcp-http.ts')).createMcpHttp(parts);
    } catch (error) {
      // The next agent tries again.
      opened = null;
      throw error;
    }
  };

  app.addHook('preClose', async () => {
    await (await opened)?.close();
  });

  app.route({
    method: ['GET', 'POST', 'DELETE'],
    url: '/mcp',
    config: { access: ['submit'] },
    schema: { hide: true },
    async handler(request, reply) {
      opened ??= open();
      const mcp = await opened;
      reply.hijack();
      await mcp.answer(request, reply);
    },
  });
}
