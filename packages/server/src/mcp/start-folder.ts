import type {
  CallToolResult,
  InputRequiredResult,
  McpServer,
  ServerContext,
} from '@modelcontextprotocol/server';
import type { Logger } from '@signalbox/core';
import { createFirstNote } from './agent-instructions.ts';

/** Longest wait for the agent's program to answer. */
const ROOTS_MS = 2000;

type Answer = CallToolResult | InputRequiredResult;

/** The agent's start folder, and the note that names it. */
export type StartFolder = Readonly<{
  /** Relative; `.` is the workspace itself, or unknown. */
  folder(): string;
  /** Asks the agent's program once for its roots (2025). Never rejects. */
  learn(server: McpServer, context: ServerContext): Promise<void>;
  /** Adds to the first answer which folder paths are relative to. */
  withNote(answer: Answer): Answer;
}>;

/**
 * @param parts.startedIn From how its program was started, or from its address; `.` where neither says.
 * @param parts.folderOf A folder of the workspace by its absolute path; null for any other. Absent: the program is not
 * asked.
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
      // A program on another machine has paths of that machine.
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
