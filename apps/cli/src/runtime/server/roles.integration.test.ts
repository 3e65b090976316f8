import { ProviderId } from '@signalbox/core';
import { Role } from '@signalbox/api';
import { expect, test } from 'vitest';
import { openTestServer, type TestServer } from '../../testing/open-test-server.ts';
import { ASKING, waitingCommand } from './testing/waiting-command.ts';

/** What docs/api.md promises each role, request by request: a new one must be added here before it can be merged. */
const FOR = {
  anyone: ['GET /health', 'GET /ready', 'POST /api/enter'],
  everybody: ['GET /api/you', 'POST /api/leave', 'GET /api/tools'],
  /** A provider sees only its own commands. */
  ownOrAll: [
    'GET /api/commands',
    'GET /api/commands/{id}',
    'GET /api/commands/{id}/output',
    'GET /api/commands/{id}/output/search',
  ],
  see: [
    'GET /api/approvals',
    'GET /api/approvals/{id}/preview',
    'GET /api/commands/{id}/diff',
    'GET /api/events',
    'GET /api/coordinator',
    'GET /api/coordinator/actors',
    'GET /api/hello',
    'GET /api/history/export',
    'GET /api/leases',
    'GET /api/mode',
    'GET /api/policy/rules',
    'GET /api/providers',
    'GET /api/queue',
    'GET /api/result-cache',
    'GET /api/review',
    'GET /api/review/kept',
    'GET /api/runs',
    'GET /api/runs/{id}',
    'GET /api/sessions',
    'GET /api/sessions/{id}/export',
    'GET /api/sessions/{id}/transcript',
    'GET /api/snapshot',
    'GET /api/stats',
    'GET /api/status',
    'GET /api/stats/timeline',
    'GET /api/workspace',
    'GET /metrics',
    'POST /api/entry-codes',
    'POST /api/policy/explain',
    'POST /api/policy/rules/check',
  ],
  answer: [
    'GET /api/approvals/{id}/rule',
    'POST /api/approvals/{id}/answer',
    'POST /api/approvals/{id}/extend',
    'POST /api/approvals/{id}/grant',
    'POST /api/approvals/{id}/judge',
    'POST /api/approvals/{id}/modify',
    'POST /api/approvals/{id}/refuse',
    'POST /api/approvals/{id}/remember',
    'POST /api/approvals/{id}/rule',
  ],
  call: [
    'POST /api/commands',
    'POST /api/commands/{id}/attend',
    'POST /api/commands/{id}/cancel',
    'POST /mcp',
  ],
  operate: [
    'DELETE /api/policy/rules/{layer}/{id}',
    'DELETE /api/result-cache',
    'POST /api/commands/{id}/priority',
    'POST /api/commands/{id}/undo',
    'POST /api/leases/{id}/revoke',
    'POST /api/policy/reload',
    'POST /api/policy/rules',
    'POST /api/ports',
    'POST /api/review/commit',
    'POST /api/review/kept',
    'POST /api/runs',
    'POST /api/runs/{id}/resume',
    'POST /api/runs/{id}/stop',
    'POST /api/sessions',
    'POST /api/sessions/{id}/stop',
    'POST /api/sessions/{id}/compress',
    'POST /api/sessions/{id}/messages',
    'POST /api/sessions/{id}/turns',
    'PUT /api/mode',
    'POST /api/coordinator/stop',
  ],
} as const;

const MAY: Readonly<Record<Role, readonly (keyof typeof FOR)[]>> = {
  viewer: ['anyone', 'everybody', 'ownOrAll', 'see'],
  approver: ['anyone', 'everybody', 'ownOrAll', 'see', 'answer'],
  operator: ['anyone', 'everybody', 'ownOrAll', 'see', 'answer', 'call', 'operate'],
  provider: ['anyone', 'everybody', 'ownOrAll', 'call'],
};

type Tried = Readonly<{ request: string; status: number }>;

/** With an invalid body, so that an authorised request has no effect. */
async function tryIt(
  own: TestServer,
  request: string,
  { token, id }: Readonly<{ token: string; id: string }>,
): Promise<Tried> {
  const [method = '', path = ''] = request.split(' ');
  const address = path.replace('{id}', id).replace('{layer}', 'local');
  const leaving = new AbortController();
  const answer = await fetch(new URL(address, own.url), {
    method,
    signal: leaving.signal,
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
    },
    ...(method === 'GET' || method === 'DELETE' ? {} : { body: '{"fits": "nothing"}' }),
  });
  // An event stream has no end.
  leaving.abort();
  return { request, status: answer.status };
}

test('no role may do more than docs/api.md says, request by request (L-40)', async () => {
  await using own = await openTestServer(ASKING);
  const { id } = await waitingCommand(own, 'touch theirs');
  const { body } = await own.ask<{ paths: Record<string, object> }>('GET', '/openapi.json', { token: '' });
  const requests = Object.entries(body.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect(Object.values(FOR).flat().toSorted()).toEqual([...requests, 'POST /mcp'].toSorted());
  const before = await own.ask('GET', `/api/commands/${id}`);
  for (const role of Role.options) {
    const provider = role === 'provider' ? ProviderId.parse('claude-code') : null;
    const { token } = await own.of.tokens.create({
      kind: 'made',
      name: role,
      role,
      provider,
      lifetimeMs: null,
    });
    for (const [group, of] of Object.entries(FOR)) {
      const may = MAY[role].some((allowed) => allowed === group);
      for (const request of of) {
        const tried = await tryIt(own, request, { token, id });
        expect({
          role,
          may,
          ...tried,
          isRefused: tried.status === 403 || tried.status === 401,
        }).toMatchObject({
          isRefused: !may && group !== 'anyone',
        });
      }
    }
  }
  expect((await own.ask('GET', `/api/commands/${id}`)).body).toEqual(before.body);
});
