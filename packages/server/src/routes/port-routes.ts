import { openPort } from '@signalbox/api';
import { OWNER_ID } from '../access/arrivals.ts';
import { visitorOfRequest } from '../access/authenticate.ts';
import { RequestRefusedError } from '../problem.ts';
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
      const { tokenId, name } = visitorOfRequest(request);
      if (tokenId !== OWNER_ID) throw ownerOnly();
      const port = await lifecycle.openPort(request.body);
      logger.info({ url: port.url, by: name }, 'port opened');
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

function ownerOnly(): RequestRefusedError {
  return new RequestRefusedError(
    403,
    'owner-only',
    'Cannot open a port: only the owner of the workspace may',
    {
      why: ['this came over a port, and not over the socket of the workspace'],
      next: ['signalbox serve   there'],
    },
  );
}
