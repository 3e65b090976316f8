import { chmodSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Settings, UsageError } from '@signalbox/core';
import * as z from 'zod';
import { readStateFile } from './state-file.ts';

const FILE = 'redis.json';

/** Address of a workspace's Redis. The URL may contain a password and is never shown. */
export const RedisAddress = z.strictObject({ url: z.string().min(1), volatile: z.boolean() }).readonly();
export type RedisAddress = z.infer<typeof RedisAddress>;

/** The environment variable with the address. */
export const REDIS_URL = 'SIGNALBOX_REDIS_URL';

/**
 * Where this workspace keeps its state: from the command line, else the environment, else the coordinators that run
 * here now. Null: in its own folder.
 *
 * @throws {UsageError} `no-redis-url` if the settings require Redis and no address is known
 */
export function redisAddressOf(options: {
  /** The workspace's `.signalbox`. */
  readonly folder: string;
  readonly given?: RedisAddress | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly backend: Settings['backend'];
}): RedisAddress | null {
  const { folder, given, env, backend } = options;
  const url = env[REDIS_URL];
  if (given !== undefined) return given;
  const named = url === undefined || url === '' ? null : { url, volatile: false };
  const found = named ?? readRedisAddress(folder);
  if (found !== null || backend !== 'redis') return found;
  throw new UsageError('no-redis-url', 'Cannot find the Redis of this workspace: no address is given', {
    why: ['the settings say backend: redis'],
    next: [`export ${REDIS_URL}=redis://…`, 'signalbox serve --redis URL'],
  });
}

/** The address that running coordinators left for other programs of the same account; null if there are none. */
export function readRedisAddress(folder: string): RedisAddress | null {
  try {
    return RedisAddress.parse(JSON.parse(readStateFile(join(folder, FILE)) ?? ''));
  } catch {
    return null;
  }
}

/** Readable only by its owner. */
export function writeRedisAddress(folder: string, address: RedisAddress): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, FILE);
  const fresh = `${file}.${process.pid}`;
  writeFileSync(fresh, `${JSON.stringify(address)}\n`, { mode: 0o600 });
  chmodSync(fresh, 0o600);
  renameSync(fresh, file);
}

/** Called by the last coordinator that leaves. */
export function removeRedisAddress(folder: string): void {
  rmSync(join(folder, FILE), { force: true });
}

/** Parts of the Redis address that must appear nowhere. */
export function passwordsOf(address: RedisAddress | null): string[] {
  if (address === null || !URL.canParse(address.url)) return [];
  const { password } = new URL(address.url);
  return password === '' ? [] : [...new Set([password, decodeURIComponent(password)])];
}
