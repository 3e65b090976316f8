import type { Facts, JsonObject, Logger } from '@signalbox/core';
import * as z from 'zod';
import { ListedTool } from './listed-tool.ts';

/** The stored state of a server. Its tools are offered at once after a restart, and shown when nothing runs. */
export const StoredServer = z.strictObject({
  /** Identifies the server. Tools of another server are not used. */
  identity: z.string(),
  state: z.string(),
  tools: z.array(ListedTool).readonly(),
  leftOut: z.array(z.string()).readonly(),
});
export type StoredServer = z.infer<typeof StoredServer>;

/** Definitions that people have allowed, by tool name. */
const LetRun = z.record(z.string(), z.string());

const listingKey = (name: string): string => `mcp-server:${name}`;
const letRunKey = (name: string): string => `mcp-let-run:${name}`;

/** Null if nothing readable is stored. */
export async function storedServer(facts: Pick<Facts, 'get'>, name: string): Promise<StoredServer | null> {
  return StoredServer.safeParse(await facts.get(listingKey(name))).data ?? null;
}

export async function storedLetRun(
  facts: Pick<Facts, 'get'>,
  name: string,
): Promise<Readonly<Record<string, string>>> {
  return LetRun.safeParse(await facts.get(letRunKey(name))).data ?? {};
}

/** Writes one at a time, only the latest state of each. A failing store is logged and fails no call. */
export function createServerStore(facts: Facts, logger: Logger) {
  const latest = new Map<string, StoredServer>();
  let last = Promise.resolve();

  function then(work: () => Promise<void>): void {
    last = last.then(work).catch((error: unknown) => logger.warn({ error }, 'MCP server not stored'));
  }

  return {
    keep(name: string, server: StoredServer): void {
      const isWaiting = latest.has(name);
      latest.set(name, server);
      if (isWaiting) return;
      then(async () => {
        const value = latest.get(name);
        latest.delete(name);
        if (value !== undefined) await facts.set(listingKey(name), value as unknown as JsonObject);
      });
    },
    letRun(name: string, tool: string, definition: string): void {
      then(async () => {
        for (let isKept = false; !isKept;) {
          const before = await facts.get(letRunKey(name));
          const next = { ...LetRun.safeParse(before).data, [tool]: definition };
          isKept = await facts.compareAndSet(letRunKey(name), { expected: before, value: next });
        }
      });
    },
    written: (): Promise<void> => last,
  };
}
