import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Received = {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly body: Record<string, unknown>;
};

/** Answers one request, correctly or with a fault. */
export type FaultAnswer = (response: ServerResponse, received: Received) => void;

export type FaultServer = {
  readonly url: string;
  /** Queues answers, one per request, in order. */
  answer(...answers: readonly FaultAnswer[]): void;
  readonly received: readonly Received[];
  close(): Promise<void>;
};

/** Starts a real HTTP server that answers with the faults of production servers. */
export async function startFaultServer(): Promise<FaultServer> {
  const answers: FaultAnswer[] = [];
  const received: Received[] = [];
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const text = await readText(request);
    const body = JSON.parse(text) as Record<string, unknown>;
    const entry = { path: request.url ?? '', headers: request.headers, text, body };
    received.push(entry);
    const answer = answers.shift() ?? sendJson(599, { error: { message: 'no answer scripted' } });
    answer(response, entry);
  };
  const server = createServer((request, response) => {
    void serve(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    received,
    answer: (...more) => {
      answers.push(...more);
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function readText(request: IncomingMessage): Promise<string> {
  let text = '';
  request.setEncoding('utf8');
  for await (const piece of request) text += String(piece);
  return text;
}

export function sendJson(status: number, body: unknown, headers: Record<string, string> = {}): FaultAnswer {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify(body));
  };
}

export function sendHtml(status: number, html: string): FaultAnswer {
  return (response) => {
    response.writeHead(status, { 'content-type': 'text/html' });
    response.end(html);
  };
}

/** Resets the connection before any header. */
export const resetAtOnce: FaultAnswer = (response) => {
  response.socket?.resetAndDestroy();
};

/** Sends nothing, not even headers. */
export const saySilence: FaultAnswer = () => {};

type Ending = 'end' | 'stall' | 'reset';

/** Sends a stream of events, each given as a whole frame, then ends, stalls or resets it. */
export function sendFrames(frames: readonly string[], ending: Ending = 'end'): FaultAnswer {
  return (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const text = frames.map((frame) => `${frame}\n\n`).join('');
    if (ending === 'end') response.end(text);
    else if (ending === 'stall') response.write(text);
    // Delayed, so that the frames arrive before the reset.
    else response.write(text, () => setTimeout(() => response.socket?.resetAndDestroy(), 20));
    if (ending === 'stall') response.flushHeaders();
  };
}
