import { join } from 'node:path';
import { canonicalJson, type IsServerTrusted, type McpServers, wordsOfServer } from '@signalbox/core';
import { readTrustedHashes } from './trusted-hashes.ts';

/**
 * MCP servers of shared files that you let start, by workspace, name and full definition. A server whose command line
 * changes needs your agreement again.
 */
export type AgreedServers = {
  readonly isAgreed: IsServerTrusted;
  /** Agrees to exactly these of this workspace from now on. */
  replace(servers: McpServers): Promise<void>;
};

/** A file that can't be read agrees to nothing. */
export async function readAgreedServers(configFolder: string, workspace: string): Promise<AgreedServers> {
  const hashes = await readTrustedHashes(join(configFolder, 'trusted-servers.json'), workspace);
  const wordsOf: (...named: Parameters<IsServerTrusted>) => string = (name, server) =>
    canonicalJson({ name, words: wordsOfServer(server) });
  return {
    isAgreed: (name, server) => hashes.has(wordsOf(name, server)),
    replace: (servers) =>
      hashes.replace(Object.entries(servers).map(([name, server]) => wordsOf(name, server))),
  };
}
