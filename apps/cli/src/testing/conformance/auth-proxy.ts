import { createServer, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * A loopback proxy for `/mcp`, for programs that can't send a token: passes on every byte and header, with a token
 * added. `names` replaces tool names, for suites that use their own.
 */
export async function openAuthProxy(
  target: { readonly url: string; readonly token: string },
  names: Readonly<Record<string, string>> = {},
): Promise<{ readonly url: string; close(): Promise<void> }> {
  const { hostname, port: targetPort } = new URL(target.url);
  const proxy = createServer((incoming, answer) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const body = Buffer.from(renamed(Buffer.concat(chunks).toString('utf8'), names));
      const { 'content-length': _length, host = '', origin, ...headers } = incoming.headers;
      const onward = send(
        {
          host: hostname,
          port: targetPort,
          path: incoming.url,
          method: incoming.method,
          headers: {
            ...headers,
            // Its own host name is replaced by ours; any other is passed on, for us to reject.
            host: ownName(host),
            ...(origin === undefined ? {} : { origin: ownName(origin) }),
            authorization: `Bearer ${target.token}`,
            ...(body.length === 0 ? {} : { 'content-length': body.length }),
          },
        },
        (response) => {
          answer.writeHead(response.statusCode ?? 500, response.headers);
          response.pipe(answer);
        },
      );
      answer.on('close', () => onward.destroy());
      onward.on('error', () => answer.destroy());
      onward.end(body);
    });
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const { port } = proxy.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    close: () =>
      new Promise((resolve) => {
        proxy.close(() => resolve());
        proxy.closeAllConnections();
      }),
  };

  function ownName(written: string): string {
    return written.replace(`:${port}`, `:${targetPort}`);
  }
}

function renamed(body: string, names: Readonly<Record<string, string>>): string {
  return Object.entries(names).reduce((text, [from, to]) => text.replaceAll(`"${from}"`, `"${to}"`), body);
}
