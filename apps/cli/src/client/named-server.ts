import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { UsageError } from '@signalbox/core';
import type { Context } from '../runtime/contract/context.ts';
import type { LocalAccess } from '../runtime/server/local-access.ts';

export const TOKEN = 'SIGNALBOX_TOKEN';
const OTHERS_MAY = 0o077;

/**
 * The server of `--server`; null without the flag.
 *
 * The access token of a server elsewhere comes from the environment or a file of the user, never from the command line,
 * which every process of the machine can read.
 *
 * @throws {UsageError} `no-token`, `token-file-open`, `not-encrypted`: nothing was sent
 */
export function namedServer(
  given: { readonly server?: string | undefined; readonly tokenFile?: string | undefined },
  { cwd, env }: Pick<Context, 'cwd' | 'env'>,
): LocalAccess | null {
  const { server, tokenFile } = given;
  if (server === undefined) return null;
  const url = urlOf(server);
  const token = tokenFile === undefined ? env[TOKEN] : tokenIn(resolve(cwd, tokenFile));
  if (token === undefined || token === '') {
    throw new UsageError('no-token', `Cannot use server ${url.host}: no access token is set`, {
      next: [`export ${TOKEN}=…`, '--token-file FILE', 'there: signalbox token create --role viewer'],
    });
  }
  return { url: url.href, token, pid: 0 };
}

function urlOf(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !['http:', 'https:'].includes(url.protocol)) {
    throw new UsageError('usage', `Cannot use server "${text}": it is not a URL`, {
      next: ['--server https://box.example:4180'],
    });
  }
  if (url.protocol === 'http:' && !/^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(url.hostname)) {
    throw new UsageError(
      'not-encrypted',
      `Cannot use server ${url.host} over http: the access token would be sent unencrypted`,
      {
        next: [
          '--server https://…',
          `ssh -L 4180:127.0.0.1:4180 ${url.hostname}, then --server http://127.0.0.1:4180`,
        ],
      },
    );
  }
  return url;
}

function tokenIn(file: string): string {
  const { mode } = statIt(file);
  if ((mode & OTHERS_MAY) !== 0) {
    throw new UsageError(
      'token-file-open',
      `Cannot use "${file}": other users can read the access token in it`,
      {
        next: [`chmod 600 ${file}`],
      },
    );
  }
  return readFileSync(file, 'utf8').trim();
}

function statIt(file: string): { readonly mode: number } {
  try {
    return statSync(file);
  } catch (error) {
    throw new UsageError('no-token', `Cannot read the access token: no file "${file}"`, { cause: error });
  }
}
