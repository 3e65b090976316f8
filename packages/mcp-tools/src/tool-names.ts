import { createHash } from 'node:crypto';
import { ToolName } from '@signalbox/core';

/** The longest name every provider's API accepts. */
const LONGEST = 64;
const HASH_LENGTH = 8;

/** The prefix of the names of a server's tools. */
export function prefixOf(server: string): string {
  return `mcp__${server}__`;
}

/**
 * Maps a server's tool names to ours: `create-issue` of `github` is `mcp__github__create_issue`.
 *
 * Names that would collide get a hash of their own name, except the one with exactly that spelling. So no tool
 * can take another's name, whatever the order of the list.
 */
export function toolNames(server: string, theirs: readonly string[]): ReadonlyMap<string, string> {
  const wanted = new Map<string, string[]>();
  for (const name of new Set(theirs)) {
    const plain = plainName(server, name);
    wanted.set(plain, [...(wanted.get(plain) ?? []), name]);
  }
  return new Map(
    [...wanted].flatMap(([plain, names]) =>
      names.map((name): [string, string] => {
        const isSpeltSo = `${prefixOf(server)}${name}` === plain;
        return [name, names.length === 1 || isSpeltSo ? plain : withHash(plain, name)];
      }),
    ),
  );
}

function plainName(server: string, name: string): string {
  const snake = name.toLowerCase().replaceAll(/[^a-z0-9_]+/g, '_');
  const whole = `${prefixOf(server)}${snake}`;
  return whole.length <= LONGEST && snake.replaceAll('_', '') !== '' ? whole : withHash(whole, name);
}

function withHash(plain: string, name: string): string {
  const hash = createHash('sha256').update(name).digest('hex').slice(0, HASH_LENGTH);
  return ToolName.parse(`${plain.slice(0, LONGEST - HASH_LENGTH - 1)}_${hash}`);
}
