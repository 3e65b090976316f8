import { existsSync } from 'node:fs';
import { join } from 'node:path';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import { tidyDescription } from './description.ts';

/** Where the bundled program has the files of the page; from source they are the library's own. */
const BUNDLED = join(import.meta.dirname, 'swagger-ui');

const NAME =
  '<svg xmlns="http://www.w3.org/2000/svg" width="120" height="24"><text y="18" font-family="sans-serif" font-weight="700" font-size="18" fill="#fff">Signalbox</text></svg>';

/** The API description: `/openapi.json` for programs, `/docs` for people. Neither is secret. */
export async function serveDescription(app: FastifyInstance): Promise<void> {
  app.get('/openapi.json', { config: { access: 'anyone' }, schema: { hide: true } }, async () =>
    tidyDescription(app.swagger()),
  );
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    uiConfig: { docExpansion: 'list' },
    transformSpecification: (description) => tidyDescription(description),
    logo: { type: 'image/svg+xml', content: Buffer.from(NAME) },
    theme: { title: 'Signalbox API' },
    ...(existsSync(BUNDLED) ? { baseDir: BUNDLED } : {}),
  });
}
