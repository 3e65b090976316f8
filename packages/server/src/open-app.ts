import type { Logger } from '@signalbox/core';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { validatorCompiler } from 'fastify-type-provider-zod';
import { problemOf, RequestRefusedError } from './problem.ts';
import { refuseDeep } from './refuse-deep.ts';

/** A call's file content is at most 10 MB (I3); JSON adds to it. */
const MAX_BODY_BYTES = 11 * 1024 * 1024;

/** The web framework with our limits. Its own rejections before a route are problems like any other. */
export function openApp(): FastifyInstance {
  const app = fastify({
    logger: false,
    bodyLimit: MAX_BODY_BYTES,
    trustProxy: false,
    return503OnClosing: false,
    frameworkErrors: refuseAddress,
  });
  app.addHook('preValidation', async ({ body }) => refuseDeep(body));
  app.removeContentTypeParser('text/plain');
  app.setValidatorCompiler(validatorCompiler);
  // Our own code makes answers from typed data; the tests check them against the description.
  app.setSerializerCompiler(() => (data) => JSON.stringify(data));
  return app;
}

export const PROBLEM = 'application/problem+json';

function refuseAddress(_: Error, { url }: FastifyRequest, reply: FastifyReply): void {
  const [path = ''] = url.split('?');
  const refusal = new RequestRefusedError(
    400,
    'http-400',
    `Cannot read the address "${path.slice(0, 200)}"`,
    {
      why: ['it is longer than any route, or its escapes are not UTF-8'],
      next: ['/docs lists all routes'],
    },
  );
  reply
    .code(400)
    .type(PROBLEM)
    .send(JSON.stringify(problemOf(refusal)));
}

/** Fails for a route that does not declare its access. */
export function refuseUnguarded(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    const isPage = route.url.startsWith('/docs');
    if (isPage) route.config = { ...route.config, access: 'anyone' };
    if (route.config?.access === undefined)
      throw new Error(`Route ${route.url} does not say who may call it`);
  });
}

/** Gives every error the same shape. */
export function answerWithProblems(app: FastifyInstance, { logger }: { readonly logger: Logger }): void {
  app.setErrorHandler((error, request, reply) => {
    const problem = problemOf(error);
    if (problem.status === 500) logger.error({ error, route: request.routeOptions.url }, 'request failed');
    return reply
      .code(problem.status)
      .header('content-type', PROBLEM)
      .serializer((data: unknown) => JSON.stringify(data))
      .send(problem);
  });
  app.setNotFoundHandler((request) => {
    throw new RequestRefusedError(
      404,
      'not-found',
      `Cannot find ${request.method} ${request.url.split('?')[0] ?? ''}`,
      {
        next: ['/docs lists all routes'],
      },
    );
  });
}
