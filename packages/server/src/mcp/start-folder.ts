import type {
  CallToolResult,
  InputRequiredResult,
  McpServer,
  ServerContext,
} from '@modelcontextprotocol/server';
import type { Logger } from '@signalbox/core';
import { createFirstNote } from './told-to-agents.ts';

/** A program that does not answer this is not waited for. */
const ROOTS_MS = 2000;

type Answer = CallToolResult | InputRequiredResult;

/** Where an agent works, and what it is told of that. */
export type StartFolder = Readonly<{
  /** Relative; `.` the workspace itself, or not known. */
  folder(): string;
  /** Asks its program once, where that tells roots (2025). Never rejects. */
  learn(server: McpServer, context: ServerContext): Promise<void>;
  /** The first answer says from where paths count. */
  withNote(answer: Answer): Answer;
}>;

/**
 * @param parts.startedIn As its program was started, or as its address says; `.` where neither tells.
 * @param parts.folderOf A folder of the workspace by its absolute path; null for any other. Absent: nobody is asked.
 */
export function createStartFolder({
  startedIn,
  folderOf,
  logger,
}: {
  readonly startedIn: string;
  readonly folderOf?: (path: string) => Promise<string | null>;
  readonly logger: Logger;
}): StartFolder {
  let folder = startedIn;
  let asked: Promise<void> | null = null;
  let note = createFirstNote<Answer>(folder);

  async function ask(server: McpServer, { mcpReq }: ServerContext): Promise<void> {
    if (folderOf === undefined || folder !== '.') return;
    if (mcpReq.envelope !== undefined || server.server.getClientCapabilities()?.roots === undefined) return;
    try {
      const options = { timeout: ROOTS_MS, relatedRequestId: mcpReq.id };
      const { roots } = await server.server.listRoots({}, options);
      const [only] = roots.length === 1 ? roots : [];
      // One on another machine has paths of its own.
      const path = only?.uri.startsWith('file:///') === true ? pathOf(only.uri) : null;
      folder = (path === null ? null : await folderOf(path)) ?? '.';
      note = createFirstNote<Answer>(folder);
    } catch (error) {
      logger.debug({ error }, 'roots of an agent not told');
    }
  }

  return {
    folder: () => folder,
    learn: (server, context) => (asked ??= ask(server, context)),
    withNote: (answer) => note(answer),
  };
}

function pathOf(uri: string): string | null {
  try {
    return decodeURIComponent(new URL(uri).pathname);
  } catch {
    return null;
  }
}
