import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type * as z from 'zod';

/** A Lua script: its arguments, its file and the schema of its replies. */
export type RedisScript<Input, Reply> = {
  /** The script's file; its head documents ARGV and the replies. KEYS[1] is always the workspace's prefix. */
  readonly url: URL;
  /** Files with functions it calls, prepended to it. */
  readonly libraries: readonly URL[];
  readonly argv: (input: Input) => readonly ScriptArgument[];
  readonly reply: z.ZodType<Reply>;
};

export type ScriptArgument = string | number;

/** Sent to Redis: the text once, then its hash. */
export type LoadedScript = { readonly text: string; readonly sha: string };

export function defineScript<Input, Reply>(
  script: Omit<RedisScript<Input, Reply>, 'libraries'> & { readonly libraries?: readonly URL[] },
): RedisScript<Input, Reply> {
  return { libraries: [], ...script };
}

/**
 * Location of a script. Only this function knows the folder, since a bundle has one script folder beside all of its
 * parts.
 */
export function luaFile(name: string): URL {
  return new URL(`lua/${name}.lua`, import.meta.url);
}

const loaded = new Map<string, LoadedScript>();

/** Reads the files on the first call. */
export function loadScript({
  url,
  libraries,
}: Pick<RedisScript<never, unknown>, 'url' | 'libraries'>): LoadedScript {
  const known = loaded.get(url.href);
  if (known !== undefined) return known;
  const text = [...libraries, url].map((file) => readFileSync(file, 'utf8')).join('\n');
  const script = { text, sha: createHash('sha1').update(text).digest('hex') };
  loaded.set(url.href, script);
  return script;
}
