import { existsSync } from 'node:fs';
import { join } from 'node:path';
import swaggerUi from '@fastify/swagger-ui';
import type { Logger } from '@signalbox/core';
import type { FastifyInstance } from 'fastify';
import { describeRoutes } from './describe-routes.ts';
import { tidyDescription } from './description.ts';
import { answerWithProblems, openApp, refuseUnguarded } from './open-app.ts';
import { serveDashboard } from './serve-dashboard.ts';
import type { DashboardFiles } from './server-options.ts';

/** Where the bundled program has the files of the page; from source they are the library's own. */
const BUNDLED = join(import.meta.dirname, 'swagger-ui');
const LOGO =
  '<svg xmlns="http://www.w3.org/2000/svg" width="120" height="24"><text y="18" font-family="sans-serif" font-weight="700" font-size="18" fill="#fff">Signalbox</text></svg>';

export type PagesOptions = {
  readonly version: string;
  readonly dashboard: DashboardFiles;
  readonly logger: Logger;
  /** The API's routes, for their description. */
  readonly addRoutes: (app: FastifyInstance) => Promise<void>;
};

/** Paths that people open. */
const PAGES = /^\/(?:\*$|docs(?:\/|$)|openapi\.json$)/;

/** A separate app that answers only for pages: the API's routes are described in it, never answered. */
export async function openPages({
  version,
  dashboard,
  logger,
  addRoutes,
}: PagesOptions): Promise<FastifyInstance> {
  const app = openApp();
  refuseUnguarded(app);
  answerWithProblems(app, { logger });
  app.addHook('onRequest', async ({ routeOptions: { url = '/*' } }) => {
    if (!PAGES.test(url)) throw new Error(`Route ${url} is not one of the pages`);
  });
  await describeRoutes(app, version);
  await app.register(addRoutes);
  await serveDescription(app);
  await serveDashboard(app, dashboard);
  await app.ready();
  return app;
}

/** The API description: `/openapi.json` for programs, `/docs` for people. Neither is secret. */
async function serveDescription(app: FastifyInstance): Promise<void> {
  app.get('/openapi.json', { config: { access: 'anyone' }, schema: { hide: true } }, async () =>
    tidyDescription(app.swagger()),
  );
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    uiConfig: { docExpansion: 'list' },
    transformSpecification: (description) => tidyDescription(description),
    logo: { type: 'image/svg+xml', content: Buffer.from(LOGO) },
    theme: { title: 'Signalbox API' },
    ...(existsSync(BUNDLED) ? { baseDir: BUNDLED } : {}),
  });
}
