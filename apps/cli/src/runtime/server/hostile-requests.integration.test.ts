import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { openTestServer } from '../../testing/open-test-server.ts';
import { type RawAnswer, sendRaw } from './testing/raw-request.ts';

const RUNS = 500;

/** A hostile client's request: each part may be well-formed, so that the later parts are reached. */
type Hostile = Readonly<{ method: string; path: string; headers: readonly string[]; body: string }>;

const ID = fc.constantFrom(
  'cmd_aaaaaaaaaaaa',
  'ses_aaaaaaaaaaaa',
  'lse_aaaaaaaaaaaa',
  'x',
  '%00',
  '%ff',
  '%',
  '..',
  '%2e%2e%2f%2e%2e%2fetc%2fpasswd',
  '__proto__',
  'constructor',
  'a'.repeat(300),
);

const PATHS = [
  '/api/commands',
  '/api/commands/:id',
  '/api/commands/:id/output',
  '/api/commands/:id/diff',
  '/api/commands/:id/undo',
  '/api/commands/:id/attend',
  '/api/commands/:id/cancel',
  '/api/approvals',
  '/api/approvals/:id/grant',
  '/api/approvals/:id/modify',
  '/api/approvals/:id/judge',
  '/api/approvals/:id/rule',
  '/api/approvals/:id/remember',
  '/api/sessions',
  '/api/sessions/:id/transcript',
  '/api/sessions/:id/stop',
  '/api/policy/explain',
  '/api/policy/rules',
  '/api/history/export',
  '/api/events',
  '/api/leases/:id/revoke',
  '/api/mode',
  '/api/stats',
  '/api/enter',
  '/mcp',
  '/assets/../../package.json',
  '/..%2f..%2fpackage.json',
  '//api//mode',
  '/',
  '*',
  'http://evil.example/api/mode',
] as const;

const PARAMETER = fc.constantFrom(
  'limit=0',
  'limit=1e999',
  'limit[]=1',
  'cursor=%00',
  'from=-9007199254740993',
  'from=NaN',
  'length=99999999999',
  'wait=-1',
  'text=%F0%9F',
  'state=done,__proto__',
  'path=../../etc/passwd',
  'provider=__proto__',
  'types=',
  'after=1-99999999999999999999',
  'format=xml',
  'stream=../x',
  '__proto__[a]=1',
  `text=${'x'.repeat(3000)}`,
);

const HEADER = fc.constantFrom(
  'Transfer-Encoding: chunked',
  'Transfer-Encoding: identity, chunked',
  'Content-Length: 99999999999',
  'Content-Length: -1',
  'Content-Type: text/plain',
  'Content-Type: application/xml',
  'Content-Type: application/json; charset=utf-16',
  'Content-Encoding: gzip',
  'Expect: 100-continue',
  'Expect: a-miracle',
  'Upgrade: websocket',
  'Last-Event-ID: 1-1\u0001',
  'Last-Event-ID: 99999999999999-1',
  'Accept: nothing/at-all',
  'Host: evil.example',
  'Origin: http://evil.example',
  'Cookie: signalbox=%00; signalbox=x; a=b=c;;',
  'X-Forwarded-For: 10.0.0.1',
  'X-HTTP-Method-Override: DELETE',
  ' folded: yes',
  'no colon',
  'Bad Name: 1',
  `X-Long: ${'x'.repeat(20_000)}`,
  'MCP-Protocol-Version: nonsense',
  'Mcp-Session-Id: ../..',
);

const BODY = fc.oneof(
  fc.constantFrom(
    '',
    '{',
    'null',
    '[]',
    '"text"',
    '{"__proto__": {"admin": true}}',
    '{"constructor": {"prototype": {}}}',
    `${'['.repeat(5000)}${']'.repeat(5000)}`,
    `{"tool": "bash", "args": ${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}}`,
    `{"tool": "bash", "args": ${'{"a":'.repeat(90)}1${'}'.repeat(90)}}`,
    '{"tool": "bash", "args": {"line": 5}}',
    '{"tool": "no_such_tool", "args": {}, "wait": true}',
    '{"tool": "read_file", "args": {"path": "../../etc/passwd"}, "wait": true, "asking": "never"}',
    '{"tool": "read_file", "args": {"path": "a\\u0000b"}, "wait": true, "asking": "never"}',
    '{"callHash": "x", "args": {"__proto__": 1}, "shown": null}',
    `{"callHash": "${'0'.repeat(64)}", "args": {"line": "true"}, "shown": "${'0'.repeat(64)}"}`,
    `{"callHash": "${'0'.repeat(64)}", "rule": {"id": "x", "allow": {"program": "["}}, "scope": "session"}`,
    '{"text": "- : - [ & *x"}',
    '{"line": "\\ud800", "cwd": "/etc"}',
    '{"mode": "NORMAL", "reason": "\\u0000"}',
    '{"mode": ["LOCKDOWN"], "reason": {}}',
    '{"provider": "no-such", "task": "x"}',
    '{"paths": ["../../etc/passwd"], "force": true}',
    '{"code": "sbx"}',
    '{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": 5}}',
    '{"jsonrpc": "1.0", "method": 5}',
  ),
  fc.json({ maxDepth: 3 }),
  fc.string({ unit: 'binary', maxLength: 60 }),
);

const request: fc.Arbitrary<Hostile> = fc.record({
  method: fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom('GET', 'POST', 'PUT') },
    {
      weight: 2,
      arbitrary: fc.constantFrom('DELETE', 'PATCH', 'HEAD', 'OPTIONS', 'TRACE', 'CONNECT', 'BREW', 'get'),
    },
  ),
  path: fc
    .tuple(fc.constantFrom(...PATHS), ID, fc.array(PARAMETER, { maxLength: 2 }))
    .map(
      ([path, id, parameters]) =>
        path.replace(':id', id) + (parameters.length === 0 ? '' : `?${parameters.join('&')}`),
    ),
  headers: fc.array(HEADER, { maxLength: 2 }),
  body: BODY,
});

function bytesOf(
  { method, path, headers, body }: Hostile,
  { host, token }: Readonly<{ host: string; token: string }>,
): Buffer {
  const content = Buffer.from(body);
  const names = headers.join('\n').toLowerCase();
  const head = [
    `${method} ${path} HTTP/1.1`,
    `Host: ${host}`,
    `Authorization: Bearer ${token}`,
    ...(names.includes('content-type:') ? [] : ['Content-Type: application/json']),
    ...(names.includes('content-length:') || names.includes('transfer-encoding:') || content.length === 0
      ? []
      : [`Content-Length: ${content.length}`]),
    ...headers,
    'Connection: close',
  ];
  // If the declared length is wrong the client disconnects instead of waiting for itself.
  return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`, 'latin1'), content]);
}

function problemsWith(answer: RawAnswer | null, { method, path }: Hostile): readonly string[] {
  if (answer === null) return [];
  const { status, type, body } = answer;
  const problems: string[] = [];
  if (status >= 500 || status < 200) problems.push(`status ${status}`);
  if (/\bat .*[/\\].*\.[cm]?[jt]s:\d+/.test(body)) problems.push('a stack trace');
  // Agents get JSON-RPC errors.
  const isRpc = path.startsWith('/mcp') && body.includes('"jsonrpc"');
  if (status < 400 || method === 'HEAD' || isRpc) return problems;
  if (!type.startsWith('application/problem+json'))
    return [...problems, `type ${type}: ${body.slice(0, 200)}`];
  const problem = JSON.parse(body) as { status?: unknown; code?: unknown; title?: unknown };
  if (problem.status !== status || typeof problem.code !== 'string' || typeof problem.title !== 'string') {
    problems.push(`problem ${body}`);
  }
  return problems;
}

test('any request is answered or rejected with a problem, never with an internal error or a stack (fuzz)', async () => {
  await using own = await openTestServer();
  const { host } = new URL(own.url);
  await fc.assert(
    fc.asyncProperty(request, async (hostile) => {
      const answer = await sendRaw(own.url, bytesOf(hostile, { host, token: own.token }));
      expect({ answer, problems: problemsWith(answer, hostile) }).toEqual({ answer, problems: [] });
    }),
    { numRuns: RUNS },
  );
  expect((await own.ask('GET', '/health')).status).toBe(200);
  expect(own.of.logger.lines.filter(({ message }) => message === 'request failed')).toEqual([]);
});
