import type { FastifyInstance } from 'fastify';
import type { PagesOptions } from './open-pages.ts';

/** Headers of the client's connection, not of the page. */
const OF_THE_CONNECTION: ReadonlySet<string> = new Set(['connection', 'keep-alive', 'transfer-encoding']);

/**
 * The dashboard and the API description: every path outside the API. Their modules are loaded with the first such
 * request, since that takes as long as the rest of a start.
 */
export function servePages(app: FastifyInstance, options: PagesOptions): void {
  let opened: Promise<FastifyInstance> | null = null;
  const open = async (): Promise<FastifyInstance> => {
    try {
      return await (await import('./open-pages.ts')).openPages(options);
    } catch (error) {
      // The next request tries again.
      opened = null;
      throw error;
    }
  };

  app.addHook('onClose', async () => {
    await (await opened)?.close();
  });

  app.get(
    '/*',
    { config: { access: 'anyone' }, schema: { hide: true } },
    async ({ method, url, headers }, reply) => {
      opened ??= open();
      const pages = await opened;
      const page = await pages.inject({ method: method === 'HEAD' ? 'HEAD' : 'GET', url, headers });
      const own = Object.entries(page.headers).filter(([name]) => !OF_THE_CONNECTION.has(name));
      return reply.code(page.statusCode).headers(Object.fromEntries(own)).send(page.rawPayload);
    },
  );
}
