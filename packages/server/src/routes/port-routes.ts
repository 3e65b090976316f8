import { openPort } from '@signalbox/api';
import { visitorOfRequest } from '../access/authenticate.ts';
import { requireOwner } from '../access/require-owner.ts';
import type { RouteParts, Routes } from './route-parts.ts';

/**
 * A port stays open as long as the request that opened it, so a killed client leaves none open; or as long as the
 * coordinator.
 */
export function portRoutes(app: Routes, { lifecycle, closing, logger }: RouteParts): void {
  app.post(
    openPort.url,
    {
      config: { access: ['operate'] },
      schema: {
        summary:
          'Listen on a port until your request or the coordinator ends; only over the workspace socket',
        description:
          'Answers with one line, `{"url": …}`. The response ends when the port closes; at once if the port stays open as long as the coordinator.',
        tags: ['access'],
        produces: ['application/x-ndjson'],
        ...openPort.schema,
      },
    },
    async (request, reply) => {
      const visitor = visitorOfRequest(request);
      requireOwner(visitor, 'open a port');
      const { until, reuse, ...options } = request.body;
      const { raw } = reply;
      function answer(url: string): string {
        logger.info({ url, by: visitor.name, until }, 'port opened');
        reply.hijack();
        raw.writeHead(200, { 'content-type': 'application/x-ndjson', 'cache-control': 'no-store' });
        return `${JSON.stringify({ url })}\n`;
      }
      if (until === 'coordinator-ends') {
        const { url } = await lifecycle.keepPort(options, reuse);
        return void raw.end(answer(url));
      }
      const port = await lifecycle.openPort(options, reuse);
      const opened = answer(port.url);
      const leave = (): void => void raw.end(() => raw.destroy());
      raw.once('close', () => {
        closing.removeEventListener('abort', leave);
        if (!closing.aborted)
          void port.close().catch((error: unknown) => logger.warn({ error }, 'port not closed'));
      });
      raw.write(opened);
      closing.addEventListener('abort', leave, { once: true });
      if (closing.aborted) leave();
    },
  );
}
