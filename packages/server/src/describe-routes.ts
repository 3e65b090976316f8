import swagger from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod';
import type { GrantedAccess } from './access/authenticate.ts';
import { rolesThatMay } from './access/role.ts';

const ABOUT =
  'Commands of several language models on one directory tree: send, approve, watch and steer them. Every error response is a problem with a code, the reasons and what to do next. While the backend is unreachable, responses carry the header `signalbox-as-of`, the time of their data.';

/** Keeps the description of every route that is added after this call. */
export async function describeRoutes(app: FastifyInstance, version: string): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Signalbox', version, description: ABOUT, license: { name: 'MIT', identifier: 'MIT' } },
      servers: [{ url: '/' }],
      components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } },
      security: [{ token: [] }],
    },
    transform(route) {
      const { url, schema } = jsonSchemaTransform(route);
      const { access = [] } = route.route.config ?? {};
      return {
        url,
        schema: { ...schema, ...namedOf(route.route), ...guardedBy(access, schema.description) },
      };
    },
    transformObject: jsonSchemaTransformObject,
  });
}

/** Operation name for client generators: `getCommandsByIdOutput` for `GET /api/commands/:id/output`. */
function namedOf({ method, url }: { readonly method: string | readonly string[]; readonly url: string }) {
  const words = url.split('/').filter((word) => word !== '' && word !== 'api');
  const name = words.map((word) => (word.startsWith(':') ? `By${pascal(word.slice(1))}` : pascal(word)));
  return { operationId: `${String(method).toLowerCase()}${name.join('')}` };
}

function pascal(word: string): string {
  return word
    .split('-')
    .map((part) => `${part.slice(0, 1).toUpperCase()}${part.slice(1)}`)
    .join('');
}

/** The required roles, for people and for programs. */
function guardedBy(access: GrantedAccess, description = '') {
  if (access === 'anyone') return { description: `${description} Needs no token.`.trimStart(), security: [] };
  return { description: `${description} Needs a token of role ${rolesThatMay(access)}.`.trimStart() };
}
