import { connect } from 'node:net';

/** A response as received. */
export type RawAnswer = Readonly<{ status: number; type: string; body: string }>;

const INTERIM = /^HTTP\/1\.1 1\d\d [^\r]*\r\n\r\n/;

/**
 * Sends exactly these bytes to a server of this machine, then half-closes. Returns what was received until the server
 * closed, or the head of an endless stream; null if nothing was received.
 */
export function sendRaw(url: string, bytes: Buffer): Promise<RawAnswer | null> {
  const { promise, resolve } = Promise.withResolvers<RawAnswer | null>();
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    if (answerIn(chunks)?.type === 'text/event-stream') socket.destroy();
  });
  // Bytes received before a reset count.
  socket.on('error', () => undefined);
  socket.on('close', () => resolve(answerIn(chunks)));
  socket.end(bytes);
  return promise;
}

function answerIn(chunks: readonly Buffer[]): RawAnswer | null {
  const text = Buffer.concat(chunks).toString('utf8').replace(INTERIM, '');
  const end = text.indexOf('\r\n\r\n');
  if (end < 0) return null;
  const head = text.slice(0, end);
  return {
    status: Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1] ?? 0),
    type: /^content-type: *(.*)$/im.exec(head)?.[1]?.trimEnd() ?? '',
    body: text.slice(end + 4),
  };
}
