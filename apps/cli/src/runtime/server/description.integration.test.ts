import { operations, streams } from '@signalbox/api';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { openTestServer, type TestServer } from '../../testing/open-test-server.ts';

type Operation = {
  summary?: string;
  operationId?: string;
  requestBody?: { required: boolean };
  responses: Record<string, { content?: Record<string, { schema: object }> }>;
};
type Description = { openapi: string; paths: Record<string, Record<string, Operation>>; components: object };

const OPEN_TO_ANYONE = ['GET /health', 'GET /ready', 'POST /api/enter'];

async function descriptionOf(own: TestServer): Promise<Description> {
  return (await own.ask<Description>('GET', '/openapi.json', { token: '' })).body;
}

function operationsOf({ paths }: Description): readonly [method: string, path: string, Operation][] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): [string, string, Operation] => [
      method.toUpperCase(),
      path,
      operation,
    ]),
  );
}

/** From the contract, so that neither the description nor the contract can miss a route. */
function operationsOfTheContract(): readonly string[] {
  return Object.values({ ...operations, ...streams }).map(
    ({ method, url }) => `${method} ${url.replaceAll(/:(\w+)/g, '{$1}')}`,
  );
}

test('the description is valid OpenAPI 3.1 and covers every route, each with a unique name', async () => {
  await using own = await openTestServer();
  const description = await descriptionOf(own);
  expect(await new Validator().validate(description)).toEqual({ valid: true });
  const described = operationsOf(description);
  expect(described.map(([method, path]) => `${method} ${path}`).toSorted()).toEqual(
    operationsOfTheContract().toSorted(),
  );
  const names = described.map(([, , { operationId }]) => operationId);
  expect(names).toContain('getCommandsByIdOutput');
  expect(new Set(names).size).toBe(described.length);
  const withoutBody = described.flatMap(([method, path, { requestBody }]) =>
    requestBody?.required === false && !path.includes('{') ? [[method, path] as const] : [],
  );
  expect(withoutBody).toContainEqual(['POST', '/api/policy/reload']);
  for (const [method, path] of withoutBody) expect((await own.ask(method, path)).status).toBe(200);
  for (const [, , { responses }] of described)
    expect(Object.keys(responses['default']?.content ?? {})).toEqual(['application/problem+json']);
});

test('every described request is refused without a token, except those documented as open', async () => {
  await using own = await openTestServer();
  const description = await descriptionOf(own);
  expect(description.openapi).toMatch(/^3\.1/);
  const open: string[] = [];
  for (const [method, path, { summary }] of operationsOf(description)) {
    expect(summary, `${method} ${path}`).toMatch(/\S/);
    const concrete = path.replace(
      '{id}',
      path.includes('sessions') ? 'ses_aaaaaaaaaaaa' : 'cmd_aaaaaaaaaaaa',
    );
    const { status } = await own.ask(method, concrete, {
      token: '',
      ...(method === 'GET' ? {} : { body: {} }),
    });
    if (status !== 401) open.push(`${method} ${path}`);
  }
  expect(open.toSorted()).toEqual(OPEN_TO_ANYONE);
});

test('responses match the description', async () => {
  await using own = await openTestServer({ settings: { approval: { prompt_on_warning: true } } });
  const description = await descriptionOf(own);
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema({ $id: 'api', components: description.components });

  const done = await own.ask<{ id: string; approval: { callHash: string } }>('POST', '/api/commands', {
    body: { tool: 'bash', args: { line: 'echo described' }, wait: true },
  });
  const asked = await own.ask<{ id: string; approval: { callHash: string } }>('POST', '/api/commands', {
    body: { tool: 'bash', args: { line: 'touch described' } },
  });
  const { id } = done.body;
  const answers: readonly (readonly [method: string, path: string, asked: string, body?: object])[] = [
    ['GET', '/api/commands', '/api/commands?limit=1'],
    ['GET', '/api/commands/{id}', `/api/commands/${id}`],
    ['GET', '/api/commands/{id}/output', `/api/commands/${id}/output`],
    ['GET', '/api/approvals', '/api/approvals'],
    ['GET', '/api/queue', '/api/queue'],
    ['GET', '/api/leases', '/api/leases'],
    ['POST', '/api/leases/{id}/revoke', '/api/leases/lse_aaaaaaaaaaaa/revoke', {}],
    ['GET', '/api/stats', '/api/stats'],
    ['GET', '/api/providers', '/api/providers'],
    ['GET', '/api/sessions', '/api/sessions'],
    ['GET', '/api/snapshot', '/api/snapshot'],
    ['GET', '/api/mode', '/api/mode'],
    ['GET', '/api/result-cache', '/api/result-cache'],
    ['GET', '/api/workspace', '/api/workspace'],
    ['GET', '/api/you', '/api/you'],
    ['GET', '/api/tools', '/api/tools?unlike=nothing'],
    ['GET', '/api/commands', `/api/commands?id=${id.slice(0, 8)}`],
    ['GET', '/api/policy/rules', '/api/policy/rules'],
    ['POST', '/api/policy/reload', '/api/policy/reload', {}],
    ['POST', '/api/policy/explain', '/api/policy/explain', { line: 'ls' }],
    ['POST', '/api/entry-codes', '/api/entry-codes', {}],
    ['GET', '/health', '/health'],
    ['GET', '/ready', '/ready'],
    [
      'POST',
      '/api/approvals/{id}/grant',
      `/api/approvals/${asked.body.id}/grant`,
      { callHash: asked.body.approval.callHash },
    ],
    ['POST', '/api/commands/{id}/attend', `/api/commands/${id}/attend`, { wait: 1000 }],
    ['POST', '/api/commands/{id}/cancel', `/api/commands/${id}/cancel`, {}],
    // Error responses are described too.
    ['GET', '/api/commands/{id}', '/api/commands/cmd_aaaaaaaaaaaa'],
    ['PUT', '/api/mode', '/api/mode', { mode: 'NOWHERE', reason: 'x' }],
  ];
  for (const [method, path, url, body] of answers) {
    const answer = await own.ask(method, url, body === undefined ? {} : { body });
    const { responses } = description.paths[path]?.[method.toLowerCase()] ?? { responses: {} };
    const { content = {} } = responses[answer.status] ?? responses['default'] ?? {};
    const [type = ''] = answer.headers.get('content-type')?.split(';') ?? [];
    const schema = content[type]?.schema;
    expect(schema, `${method} ${path} ${answer.status}`).toBeDefined();
    const validate = ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"api#/')) as object);
    expect(validate(answer.body), `${method} ${url}: ${JSON.stringify(validate.errors)}`).toBe(true);
  }
});

test('a generator omits nothing that a request needs: no property is read-only (S003-B3)', async () => {
  await using own = await openTestServer();
  const description = await descriptionOf(own);
  expect(JSON.stringify(description)).toContain('NewCommand');
  expect(JSON.stringify(description)).not.toContain('"readOnly":true');
});
