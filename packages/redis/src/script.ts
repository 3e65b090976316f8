import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type * as z from 'zod';

/** A Lua script: what goes in, the file that decides, and the words that come back. */
export type RedisScript<Input, Reply> = {
  /** The script's own file; its head says what ARGV and the replies are. KEYS[1] is always the workspace's prefix. */
  readonly url: URL;
  /** Files of functions that it calls, put before it. */
  readonly libraries: readonly URL[];
  readonly argv: (input: Input) => readonly ScriptArgument[];
  readonly reply: z.ZodType<Reply>;
};

export type ScriptArgument = string | number;

/** What Redis is sent: the text once, then its hash. */
export type LoadedScript = { readonly text: string; readonly sha: string };

export function defineScript<Input, Reply>(
  script: Omit<RedisScript<Input, Reply>, 'libraries'> & { readonly libraries?: readonly URL[] },
): RedisScript<Input, Reply> {
  return { libraries: [], ...script };
}

/** Where a script lies: named here alone, since a bundle has one folder of them, beside all of its parts. */
export function luaFile(name: string): URL {
  return new URL(`lua/${name}.lua`, import.meta.url);
}

const loaded = new Map<string, LoadedScript>();

/** Reads the files at the first call. */
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
