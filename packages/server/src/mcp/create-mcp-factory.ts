import {
  type CallToolResult,
  fromJsonSchema,
  type McpRequestContext,
  McpServer,
  type RegisteredTool,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { type Clock, CommandId, JsonObject, type Logger, SignalboxError } from '@signalbox/core';
import * as z from 'zod';
import type { CommandView } from '../views/command-view.ts';
import { followOffers } from './follow-offers.ts';
import type { McpCaller, McpHouse, McpOffer } from './mcp-house.ts';

/** Before each tool's name: agents keep their own tools apart from ours, and people see whose it is. */
export const TOOL_PREFIX = 'signalbox_';

/** Agents give a silent call up after 60 s: before that we answer that it still waits. */
const PATIENCE_MS = 45_000;
/** Of an agent that hears progress, which keeps its call alive. */
const PATIENCE_WITH_PROGRESS_MS = 600_000;
const PROGRESS_EVERY_MS = 10_000;

const INSTRUCTIONS = `Several agents work on this workspace at the same time. Every call is judged, may wait for a person's approval or for files that another agent holds, runs in a sandbox, and is recorded. A call that takes long answers with status "waiting" and a command id: call ${TOOL_PREFIX}wait with it, do not repeat the call. A refusal says why and what to do instead.`;

const Structured = z.object({
  command: z.string(),
  status: z.string(),
  outcome: z.string().nullable(),
  exit_code: z.number().nullable(),
  files: z.array(z.object({ path: z.string(), kind: z.string() })),
});

/**
 * Makes servers of one agent, all with the same session: in the era of 2025 (`legacy`) one for each connection, which is
 * told when tools come and go; in that of 2026 one for each request, which sees the tools of that moment.
 */
export type McpFactory = (connection: Pick<McpRequestContext, 'era'>) => Promise<McpServer>;

export function createMcpFactory(parts: {
  readonly house: McpHouse;
  readonly caller: McpCaller;
  readonly version: string;
  readonly clock: Clock;
  readonly logger: Logger;
}): McpFactory {
  const { house, caller, clock, logger } = parts;

  return async ({ era }) => {
    const server = new McpServer(
      { name: 'signalbox', version: parts.version },
      { instructions: INSTRUCTIONS, capabilities: { tools: {} } },
    );
    const offers = await house.offers();
    const add = (offer: McpOffer): RegisteredTool => addTool(server, offer);
    if (era === 'legacy') followOffers(server, offers, { house, add, clock, logger });
    else for (const offer of offers) add(offer);
    server.registerTool(
      `${TOOL_PREFIX}wait`,
      {
        title: 'Wait for a call',
        description:
          'Waits for a call that was answered with status "waiting", and gives its result when it is done.',
        inputSchema: z.object({
          command: CommandId.describe('The command id of that answer'),
          seconds: z.number().min(1).max(50).default(45).describe('How long to wait this time'),
        }),
        outputSchema: Structured,
        annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
      },
      ({ command, seconds }, context) => told(() => attend(command, context, seconds * 1000)),
    );
    return server;
  };

  function addTool(server: McpServer, { name, description, inputSchema, hints }: McpOffer): RegisteredTool {
    return server.registerTool(
      TOOL_PREFIX + name,
      {
        description,
        inputSchema: fromJsonSchema<JsonObject>(
          inputSchema as Parameters<typeof fromJsonSchema>[0],
          TAKES_ALL,
        ),
        outputSchema: Structured,
        annotations: {
          readOnlyHint: hints.readOnly,
          destructiveHint: hints.destructive,
          openWorldHint: hints.openWorld,
        },
      },
      (args, context) =>
        told(async () => {
          const sent = await house.send({ tool: name, args: JsonObject.parse(args) }, caller);
          if (sent.result !== null) return answerOf(sent);
          return attend(sent.id, context, hearsProgress(context) ? PATIENCE_WITH_PROGRESS_MS : PATIENCE_MS);
        }),
    );
  }

  /** Waits with the agent; an agent that cancels or leaves cancels its call. */
  async function attend(id: CommandId, context: ServerContext, ms: number): Promise<CallToolResult> {
    const { signal } = context.mcpReq;
    const stopTelling = tellProgress(context);
    try {
      const view = await house.wait(id, caller, ms, signal);
      if (signal.aborted && view.result === null) {
        await house.cancel(id, caller, 'its agent has cancelled the call or has gone');
      }
      return view.result === null ? stillWaits(view) : answerOf(view);
    } finally {
      stopTelling();
    }
  }

  function tellProgress(context: ServerContext): () => void {
    const token = context.mcpReq._meta?.progressToken;
    if (token === undefined) return () => undefined;
    let progress = 0;
    let cancel = clock.timer(PROGRESS_EVERY_MS, tell);
    return () => cancel();

    function tell(): void {
      progress += PROGRESS_EVERY_MS / 1000;
      context.mcpReq
        .notify({
          method: 'notifications/progress',
          params: { progressToken: token ?? 0, progress, message: `waiting for ${progress} s` },
        })
        .catch((error: unknown) => logger.debug({ error }, 'progress not told'));
      cancel = clock.timer(PROGRESS_EVERY_MS, tell);
    }
  }

  /** An agent reads what is wrong as a result of its call, never as a fault of the protocol. */
  async function told(work: () => Promise<CallToolResult>): Promise<CallToolResult> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof SignalboxError)) logger.error({ error }, 'call of an agent failed');
      const text =
        error instanceof SignalboxError
          ? [error.message, ...error.why, ...error.next].join('\n')
          : 'Signalbox failed inside; try again later';
      return { isError: true, content: [{ type: 'text', text }] };
    }
  }
}

/** The tool's own schema judges its arguments, in the one place where all callers are judged: with a result and an audit line. */
const TAKES_ALL: NonNullable<Parameters<typeof fromJsonSchema>[1]> = {
  getValidator: () => (input: unknown) => ({ valid: true, data: input as never, errorMessage: undefined }),
};

function hearsProgress({ mcpReq }: ServerContext): boolean {
  return mcpReq._meta?.progressToken !== undefined;
}

function answerOf(view: CommandView): CallToolResult {
  const { result } = view;
  return {
    isError: result?.success !== true,
    content: [{ type: 'text', text: result?.content ?? '' }],
    structuredContent: structured(view),
  };
}

function stillWaits(view: CommandView): CallToolResult {
  const what =
    view.state === 'awaiting_approval'
      ? "It waits for a person's approval."
      : view.state === 'running'
        ? 'It is running.'
        : 'It waits for what others hold.';
  return {
    content: [
      {
        type: 'text',
        text: `status: waiting\ncommand: ${view.id}\n${what} Call ${TOOL_PREFIX}wait with this command id; do not repeat the call.`,
      },
    ],
    structuredContent: { ...structured(view), status: 'waiting' },
  };
}

function structured({ id, status, result }: CommandView): z.infer<typeof Structured> {
  return {
    command: id,
    status,
    outcome: result?.outcome.kind ?? null,
    exit_code: result?.exitCode ?? null,
    files: (result?.files ?? []).map(({ path, kind }) => ({ path, kind })),
  };
}
