import type { Logger } from '@signalbox/core';
import type { FastifyInstance } from 'fastify';
import { describeRoutes } from './describe-routes.ts';
import { openApp, refuseUnguarded, answerWithProblems } from './open-app.ts';
import { serveDashboard } from './serve-dashboard.ts';
import { serveDescription } from './serve-description.ts';
import type { DashboardFiles } from './server-options.ts';

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
