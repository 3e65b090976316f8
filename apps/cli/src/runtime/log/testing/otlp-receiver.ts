import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import * as z from 'zod';

const Span = z.looseObject({
  traceId: z.string(),
  spanId: z.string(),
  parentSpanId: z.string().optional(),
  name: z.string(),
});
const Batch = z.looseObject({
  resourceSpans: z.array(z.looseObject({ scopeSpans: z.array(z.looseObject({ spans: z.array(Span) })) })),
});

/** Receives OTLP over HTTP, as JSON. */
export async function startOtlpReceiver() {
  const spans: z.infer<typeof Span>[] = [];
  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { resourceSpans } = Batch.parse(JSON.parse(await text(request)));
    spans.push(...resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)));
    response.setHeader('content-type', 'application/json').end('{}');
  }
  const server = createServer((request, response) => void take(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    spans: spans as readonly z.infer<typeof Span>[],
    close: () => void server.close(),
  };
}
