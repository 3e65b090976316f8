import { Agent, request } from 'node:http';

/** A minimal client, so that measurements show the server. */
export function createKeepAliveClient(token: string): {
  post(url: URL, body: string): Promise<string>;
  close(): void;
} {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  return {
    post(url, body) {
      const { promise, resolve, reject } = Promise.withResolvers<string>();
      const length = Buffer.byteLength(body);
      const sent = request(url, { method: 'POST', agent, headers: { ...headers, 'content-length': length } });
      sent.on('error', reject);
      sent.on('response', (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString('utf8');
          if ((response.statusCode ?? 500) < 300) resolve(text);
          else reject(new Error(`${response.statusCode}: ${text}`));
        });
      });
      sent.end(body);
      return promise;
    },
    close: () => agent.destroy(),
  };
}
