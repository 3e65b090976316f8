import { connect } from 'node:net';

/** An answer as it came over the wire. */
export type RawAnswer = Readonly<{ status: number; type: string; body: string }>;

const INTERIM = /^HTTP\/1\.1 1\d\d [^\r]*\r\n\r\n/;

/**
 * Sends these bytes to a server of this machine, exactly, and hangs up its own half. Answers what came back until the
 * server closed, or the head of a stream without an end; null where nothing came.
 */
export function sendRaw(url: string, bytes: Buffer): Promise<RawAnswer | null> {
  const { promise, resolve } = Promise.withResolvers<RawAnswer | null>();
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    if (answerIn(chunks)?.type === 'text/event-stream') socket.destroy();
  });
  // What came before a reset counts.
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
