import { openPort } from '@signalbox/api';
import { visitorOfRequest } from '../access/authenticate.ts';
import { requireOwner } from '../access/require-owner.ts';
import type { RouteParts, Routes } from './route-parts.ts';

/** A port lives as long as the request that opened it: who is killed leaves none open. */
export function portRoutes(app: Routes, { lifecycle, closing, logger }: RouteParts): void {
  app.post(
    openPort.url,
    {
      config: { access: ['operate'] },
      schema: {
        summary: 'Listen on a port until you go; on the socket of the workspace alone',
        description: 'Answers with one line, `{"url": …}`, and ends when the port has closed.',
        tags: ['access'],
        produces: ['application/x-ndjson'],
        ...openPort.schema,
      },
    },
    async (request, reply) => {
      const visitor = visitorOfRequest(request);
      requireOwner(visitor, 'open a port');
      const port = await lifecycle.openPort(request.body);
      logger.info({ url: port.url, by: visitor.name }, 'port opened');
      reply.hijack();
      const { raw } = reply;
      const leave = (): void => void raw.end(() => raw.destroy());
      raw.once('close', () => {
        closing.removeEventListener('abort', leave);
        if (!closing.aborted)
          void port.close().catch((error: unknown) => logger.warn({ error }, 'port not closed'));
      });
      raw.writeHead(200, { 'content-type': 'application/x-ndjson', 'cache-control': 'no-store' });
      raw.write(`${JSON.stringify({ url: port.url })}\n`);
      closing.addEventListener('abort', leave, { once: true });
      if (closing.aborted) leave();
    },
  );
}
