import { createEntryCode, enter, getYou, leave } from '@signalbox/api';
import { refuseTooEarly, visitorOfRequest } from '../access/authenticate.ts';
import { cookieNameOf } from '../access/browser-cookie.ts';
import { RequestRefusedError } from '../problem.ts';
import type { RouteParts, Routes } from './route-parts.ts';

const BROWSER_LIFETIME_MS = 12 * 3_600_000;

/** The dashboard's sign-in: a single-use code becomes a cookie that no page can read. */
export function accessRoutes(app: Routes, { codes, tokens, tries }: RouteParts): void {
  app.post(
    createEntryCode.url,
    {
      config: { access: ['look'] },
      schema: {
        summary: 'A code that opens the dashboard once, within two minutes',
        tags: ['access'],
        ...createEntryCode.schema,
      },
    },
    async (request) => codes.create(visitorOfRequest(request)),
  );

  app.get(
    getYou.url,
    {
      config: { access: ['look', 'submit'] },
      schema: { summary: 'Who you are here, by your access token', tags: ['access'], ...getYou.schema },
    },
    async (request) => {
      const { name, role, provider } = visitorOfRequest(request);
      return { name, role, provider };
    },
  );

  app.post(
    enter.url,
    {
      config: { access: 'anyone' },
      schema: {
        summary: 'Sign in with a code: sets the dashboard’s cookie',
        tags: ['access'],
        ...enter.schema,
      },
    },
    async (request, reply) => {
      const visitor = codes.use(request.body.code);
      if (visitor === null) {
        refuseTooEarly(tries.failed(request.ip, request.body.code));
        throw new RequestRefusedError(
          401,
          'no-entry',
          'Cannot sign you in: the link was already used or has expired',
          {
            next: ['signalbox dashboard   prints a new one'],
          },
        );
      }
      const { kind, tokenId, name, role, provider } = visitor;
      const { token } = await tokens.create({
        kind: 'browser',
        // A server's own token ends with it; the dashboard works again after a restart.
        ...(kind === 'local' ? {} : { from: tokenId }),
        name,
        role,
        provider,
        lifetimeMs: BROWSER_LIFETIME_MS,
      });
      return reply
        .setCookie(cookieNameOf(request), token, {
          httpOnly: true,
          sameSite: 'strict',
          secure: request.protocol === 'https',
          path: '/',
          maxAge: BROWSER_LIFETIME_MS / 1000,
        })
        .send({ name, role });
    },
  );

  app.post(
    leave.url,
    {
      config: { access: ['look', 'submit'] },
      schema: { summary: 'Sign out: the cookie is no longer accepted', tags: ['access'], ...leave.schema },
    },
    async (request, reply) => {
      const { tokenId } = visitorOfRequest(request);
      await tokens.revoke(({ id, kind }) => id === tokenId && kind === 'browser');
      return reply.clearCookie(cookieNameOf(request), { path: '/' }).send({ left: true });
    },
  );
}
