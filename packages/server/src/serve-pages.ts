import type { FastifyInstance } from 'fastify';
import type { PagesOptions } from './open-pages.ts';

/** Of the connection of who asks, not of the page. */
const OF_THE_CONNECTION: ReadonlySet<string> = new Set(['connection', 'keep-alive', 'transfer-encoding']);

/**
 * The dashboard, and what says what can be asked: each path that is none of the API's. What they need is loaded when
 * somebody first opens one of them; it takes as long as all the rest of a start.
 */
export function servePages(app: FastifyInstance, options: PagesOptions): void {
  let opened: Promise<FastifyInstance> | null = null;
  const open = async (): Promise<FastifyInstance> => {
    try {
      return await (await import('./open-pages.ts')).openPages(options);
    } catch (error) {
      // The next who asks tries again.
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
