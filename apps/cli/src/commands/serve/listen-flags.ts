import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { PortReuse } from '@signalbox/api';
import { UsageError } from '@signalbox/core';
import type { ListenOptions } from '@signalbox/server';
import * as z from 'zod';
import type { Context } from '../../runtime/contract/context.ts';

const DEFAULT_PORT = 4180;

/** Flags for the address of a server. */
export const listenFlags = {
  port: z.coerce.number({ error: 'must be a number from 0 to 65535' }).int().min(0).max(65_535).optional(),
  host: z.string().min(1).default('127.0.0.1'),
  allowHost: z.array(z.string().min(1)).default([]),
  tlsCert: z.string().optional(),
  tlsKey: z.string().optional(),
  allowPlainHttp: z.boolean().default(false),
};
type ListenFlags = z.infer<z.ZodObject<typeof listenFlags>>;

/** Without a port an open one is reused, for `signalbox dashboard` or another `serve`. */
export function reuseOf({ port }: Pick<ListenFlags, 'port'>): PortReuse {
  return port === undefined ? 'any-number' : 'equal';
}

/** @throws {UsageError} `tls-files` when the certificate or its key can't be read */
export function listenOptions(flags: ListenFlags, { cwd }: Pick<Context, 'cwd'>): ListenOptions {
  const { port = DEFAULT_PORT, host, allowHost, allowPlainHttp } = flags;
  return { port, host, allowedHosts: allowHost, allowPlainHttp, tls: tlsOf(flags, cwd) };
}

function tlsOf({ tlsCert, tlsKey }: ListenFlags, cwd: string): ListenOptions['tls'] {
  if (tlsCert === undefined && tlsKey === undefined) return null;
  if (tlsCert === undefined || tlsKey === undefined) {
    throw new UsageError('tls-files', 'Cannot serve with TLS: it needs a certificate and its key', {
      next: ['--tls-cert FILE --tls-key FILE'],
    });
  }
  return { cert: readPem(resolve(cwd, tlsCert)), key: readPem(resolve(cwd, tlsKey)) };
}

function readPem(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const why = error instanceof Error ? [error.message] : [];
    throw new UsageError('tls-files', `Cannot serve with TLS: "${file}" cannot be read`, {
      why,
      cause: error,
    });
  }
}
