import {
  type CallToolResult,
  fromJsonSchema,
  McpServer,
  type RegisteredTool,
  type ServerContext,
} from '@modelcontextprotocol/server';
import {
  type Clock,
  CommandId,
  JsonObject,
  type Logger,
  SignalboxError,
  UnavailableError,
} from '@signalbox/core';
import * as z from 'zod';
import { refuseDeep } from '../refuse-deep.ts';
import { answerOf, notSent, outOfSight, Structured, TOOL_PREFIX, whatFor } from './agent-answers.ts';
import { followOffers } from './follow-offers.ts';
import type { McpCaller, McpHouse, McpOffer } from './mcp-house.ts';
import { hearsProgress, tellProgress } from './tell-progress.ts';

/** Agents give a silent call up after 60 s: before that we answer that it still waits. */
const PATIENCE_MS = 45_000;
/** Of an agent that hears progress, which keeps its call alive. */
export const PATIENCE_WITH_PROGRESS_MS = 600_000;

const INSTRUCTIONS = `Several agents work on this workspace at the same time. Every call is judged, may wait for a person's approval or for files that another agent holds, runs in a sandbox, and is recorded. A call that takes long answers with status "waiting" and a command id: call ${TOOL_PREFIX}wait with it, do not repeat the call. A refusal says why and what to do instead.`;

/** An agent that works here, as long as it stays. */
export type McpAgent = {
  /**
   * Makes a server for it, all with the same session: one for each connection that `lasts`, which is told when tools come
   * and go, or one for each request, which sees the tools of that moment.
   */
  serve(connection: { readonly lasts: boolean }): Promise<McpServer>;
  /** It has gone: what it has not heard the end of is cancelled. Its connections are closed by then. */
  leave(): Promise<void>;
};

export function createMcpAgent(parts: {
  readonly house: McpHouse;
  readonly caller: McpCaller;
  readonly version: string;
  readonly clock: Clock;
  readonly logger: Logger;
}): McpAgent {
  const { house, caller, clock, logger } = parts;
  /** Calls that are being answered. */
  const working = new Set<Promise<CallToolResult>>();
  /** Commands whose end it has not heard. */
  const open = new Set<CommandId>();

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
        answered(async () => {
          refuseDeep(args);
          const sent = await house.send({ tool: name, args: JsonObject.parse(args) }, caller);
          if (sent.result !== null) return answerOf(sent);
          open.add(sent.id);
          return attend(sent.id, context, hearsProgress(context) ? PATIENCE_WITH_PROGRESS_MS : PATIENCE_MS);
        }),
    );
  }

  function addWait(server: McpServer): void {
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
      ({ command, seconds }, context) => answered(() => attend(command, context, seconds * 1000)),
    );
  }

  /** An agent reads what is wrong as a result of its call, never as a fault of the protocol. */
  async function answered(work: () => Promise<CallToolResult>): Promise<CallToolResult> {
    const answer = work().catch((error: unknown) => {
      if (!(error instanceof SignalboxError)) logger.error({ error }, 'call of an agent failed');
      return notSent(error);
    });
    working.add(answer);
    return answer.finally(() => working.delete(answer));
  }

  /** Waits with the agent; an agent that cancels or leaves cancels its call. */
  async function attend(id: CommandId, context: ServerContext, ms: number): Promise<CallToolResult> {
    const { signal } = context.mcpReq;
    const stopTelling = tellProgress(context, {
      clock,
      logger,
      whatFor: async () => whatFor(await house.wait(id, caller, 0, signal)),
    });
    try {
      const view = await house.wait(id, caller, ms, signal);
      if (view.result !== null) open.delete(id);
      else if (signal.aborted) await cancel(id, 'its agent has cancelled the call or has gone');
      return answerOf(view);
    } catch (error) {
      if (error instanceof UnavailableError) return outOfSight(id, error);
      throw error;
    } finally {
      stopTelling();
    }
  }

  async function cancel(id: CommandId, reason: string): Promise<void> {
    await house.cancel(id, caller, reason);
    open.delete(id);
  }

  return {
    async serve({ lasts }) {
      const server = new McpServer(
        { name: 'signalbox', version: parts.version },
        {
          instructions: INSTRUCTIONS,
          capabilities: { tools: {} },
          // Many that change at once are told of once.
          debouncedNotificationMethods: ['notifications/tools/list_changed'],
        },
      );
      const offers = await house.offers();
      const add = (offer: McpOffer): RegisteredTool => addTool(server, offer);
      if (lasts) followOffers(server, offers, { house, add, clock, logger });
      else for (const offer of offers) add(offer);
      addWait(server);
      return server;
    },
    async leave() {
      await Promise.all(working);
      const cancelled = await Promise.allSettled([...open].map((id) => cancel(id, 'its agent has gone')));
      for (const one of cancelled)
        if (one.status === 'rejected')
          logger.warn({ error: one.reason }, 'call of an agent that has gone not cancelled');
    },
  };
}

/** The tool's own schema judges its arguments, in the one place where all callers are judged: with a result and an audit line. */
const TAKES_ALL: NonNullable<Parameters<typeof fromJsonSchema>[1]> = {
  getValidator: () => (input: unknown) => ({ valid: true, data: input as never, errorMessage: undefined }),
};
