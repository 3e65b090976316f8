import { randomUUID } from 'node:crypto';
import {
  type NodeIncomingMessageLike,
  NodeStreamableHTTPServerTransport,
  toNodeHandler,
  toWebRequest,
} from '@modelcontextprotocol/node';
import { createMcpHandler, isInitializeRequest, isLegacyRequest } from '@modelcontextprotocol/server';
import { createId, ProviderId, type SessionId } from '@signalbox/core';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { visitorOfRequest } from '../access/authenticate.ts';
import type { Visitor } from '../access/token-entry.ts';
import type { RouteParts } from '../routes/route-parts.ts';
import { createLocalMcpRuntime } from './local-mcp-runtime.ts';
import { createMcpAgent, type McpAgent } from './create-mcp-agent.ts';
import { createStartFolder, type StartFolder } from './start-folder.ts';

type OpenSession = {
  readonly transport: NodeStreamableHTTPServerTransport;
  readonly agent: McpAgent;
  readonly tokenId: string;
};

/** State of a token between requests of protocol version 2026, each of which is a separate agent. */
type TokenState = { readonly sessionId: SessionId; readonly starts: Map<string, StartFolder> };

/** Per token, so that one token can't close another's sessions; the oldest session is closed first. */
const MAX_SESSIONS = 100;

export type McpHttp = {
  /** Answers a request by itself; the caller no longer owns the reply. */
  readonly answer: (request: FastifyRequest, reply: FastifyReply) => Promise<void>;
  readonly close: () => Promise<void>;
};

/** Both versions of the protocol: sessions of 2025, and self-contained requests of 2026. Each token is a provider. */
export function createMcpHttp(parts: RouteParts): McpHttp {
  const { clock, random, logger, version } = parts;
  const { folderOf } = parts.services;
  const runtime = createLocalMcpRuntime(parts);
  const sessions = new Map<string, OpenSession>();
  /** Clients without a protocol session share one of ours by token, so that their stale writes are found. */
  const sessionOfToken = new Map<string, TokenState>();

  return {
    async answer(request, reply) {
      const visitor = visitorOfRequest(request);
      const isLegacy = await isLegacyRequest(
        await toWebRequest(request.raw as NodeIncomingMessageLike, request.body ?? undefined),
      );
      if (isLegacy) await serveSession(request, reply, visitor);
      else await serveRequest(request, reply, visitor);
    },
    async close() {
      await Promise.all([...sessions.values()].map(({ transport }) => transport.close()));
    },
  };

  /** As in the address: `/mcp?folder=packages/api`. */
  async function startOf(request: FastifyRequest): Promise<StartFolder> {
    const named = new URL(request.url, 'http://localhost').searchParams.get('folder');
    const startedIn = (named === null ? null : await folderOf(named)) ?? '.';
    return createStartFolder({ startedIn, folderOf, logger });
  }

  function agentOf(
    { provider }: Visitor,
    { sessionId, start }: { readonly sessionId: SessionId; readonly start: StartFolder },
    request: FastifyRequest,
  ): McpAgent {
    const caller = { provider: provider ?? ProviderId.parse('you'), sessionId };
    const address = `${request.protocol}://${request.host}`;
    return createMcpAgent({
      runtime,
      caller,
      settings: parts.services.mcp,
      address: async () => address,
      version,
      start,
      isFolder: async (path) => (await folderOf(path)) !== null,
      clock,
      logger,
    });
  }

  async function serveRequest(request: FastifyRequest, reply: FastifyReply, visitor: Visitor): Promise<void> {
    const { raw, body } = request;
    const { tokenId } = visitor;
    const tokenState = sessionOfToken.get(tokenId) ?? {
      sessionId: createId('session', random),
      starts: new Map(),
    };
    sessionOfToken.set(tokenId, tokenState);
    const { sessionId, starts } = tokenState;
    const asked = await startOf(request);
    const start = starts.get(asked.folder()) ?? asked;
    starts.set(start.folder(), start);
    const agent = agentOf(visitor, { sessionId, start }, request);
    const handler = createMcpHandler(() => agent.serve({ lasts: false }), { legacy: 'reject' });
    await toNodeHandler(handler)(raw as NodeIncomingMessageLike, reply.raw, body ?? undefined);
  }

  async function serveSession(request: FastifyRequest, reply: FastifyReply, visitor: Visitor): Promise<void> {
    const { raw, body } = request;
    const id = raw.headers['mcp-session-id'];
    const known = typeof id === 'string' ? sessions.get(id) : undefined;
    if (known !== undefined && known.tokenId === visitor.tokenId) {
      return serveIn(known.transport, raw, { fastifyReply: reply, body });
    }
    if (id !== undefined || !isInitializeRequest(body)) return refuse(reply, id === undefined ? 400 : 404);
    const { tokenId } = visitor;
    const start = await startOf(request);
    const agent = agentOf(visitor, { sessionId: createId('session', random), start }, request);
    const transport: NodeStreamableHTTPServerTransport = new NodeStreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      onsessioninitialized(opened) {
        sessions.set(opened, { transport, agent, tokenId });
        closeOldest(tokenId);
      },
      onsessionclosed(closed) {
        sessions.delete(closed);
        // Its connections are closed when this has returned.
        void agent.leave();
      },
    });
    const server = await agent.serve({ lasts: true });
    await server.connect(transport);
    await serveIn(transport, raw, { fastifyReply: reply, body });
  }

  function closeOldest(tokenId: string): void {
    const own = [...sessions].filter(([, session]) => session.tokenId === tokenId);
    for (const [id, session] of own.slice(0, -MAX_SESSIONS)) {
      sessions.delete(id);
      close(session).catch((error: unknown) => logger.warn({ error }, 'session of an agent not closed'));
    }
  }
}

async function close({ transport, agent }: OpenSession): Promise<void> {
  await transport.close();
  await agent.leave();
}

/** A broken connection cancels what its agent was waiting for, so that nothing stays held for it. */
async function serveIn(
  transport: NodeStreamableHTTPServerTransport,
  request: FastifyRequest['raw'],
  { fastifyReply: { raw }, body }: Readonly<{ fastifyReply: FastifyReply; body: unknown }>,
): Promise<void> {
  raw.on('close', () => {
    if (raw.writableFinished) return;
    for (const requestId of requestIdsOf(body)) {
      transport.onmessage?.({
        jsonrpc: '2.0',
        method: 'notifications/cancelled',
        params: { requestId, reason: 'the connection was closed' },
      });
    }
  });
  await transport.handleRequest(request, raw, body ?? undefined);
}

function requestIdsOf(body: unknown): readonly (string | number)[] {
  const messages: readonly unknown[] = Array.isArray(body) ? body : [body];
  return messages.flatMap((message) => {
    const id = message !== null && typeof message === 'object' && 'id' in message ? message.id : undefined;
    return typeof id === 'string' || typeof id === 'number' ? [id] : [];
  });
}

function refuse({ raw }: FastifyReply, status: number): void {
  raw.writeHead(status, { 'content-type': 'application/json' });
  const message = status === 404 ? 'This session has ended; initialize again' : 'Initialize first';
  raw.end(JSON.stringify({ jsonrpc: '2.0', error: { code: -32_000, message }, id: null }));
}
