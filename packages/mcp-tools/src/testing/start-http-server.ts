import { randomUUID } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  type NodeIncomingMessageLike,
  NodeStreamableHTTPServerTransport,
  toNodeHandler,
} from '@modelcontextprotocol/node';
import { createMcpHandler, type McpServer } from '@modelcontextprotocol/server';

export type HttpServer = {
  readonly url: string;
  /** Headers of all requests so far. */
  readonly headers: readonly IncomingHttpHeaders[];
  close(): Promise<void>;
};

/** Starts an HTTP server of one protocol era, on a free port or its previous one. */
export async function startHttpServer(
  create: () => McpServer,
  { era, port = 0 }: { readonly era: '2025' | '2026'; readonly port?: number },
): Promise<HttpServer> {
  const headers: IncomingHttpHeaders[] = [];
  const modern = toNodeHandler(createMcpHandler(async () => create(), { legacy: 'reject' }));
  const sessions = new Map<string, NodeStreamableHTTPServerTransport>();
  const http = createServer((request, response) => {
    headers.push(request.headers);
    if (era === '2026') return void modern(request as NodeIncomingMessageLike, response);
    const known = sessions.get(String(request.headers['mcp-session-id']));
    if (known !== undefined) return void known.handleRequest(request, response);
    const transport: NodeStreamableHTTPServerTransport = new NodeStreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      onsessioninitialized: (id) => void sessions.set(id, transport),
    });
    void create()
      .connect(transport)
      .then(() => transport.handleRequest(request, response));
  });
  await new Promise<void>((resolve) => http.listen(port, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`,
    headers,
    close: () =>
      new Promise((resolve) => {
        http.close(() => resolve());
        http.closeAllConnections();
      }),
  };
}
