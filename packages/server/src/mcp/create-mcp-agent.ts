import {
  type CallToolResult,
  McpServer,
  type RegisteredTool,
  type ServerContext,
  type StandardSchemaWithJSON,
} from '@modelcontextprotocol/server';
import { type CommandView, WaitForCall } from '@signalbox/api';
import {
  type Clock,
  CommandId,
  JsonObject,
  type Logger,
  type McpSettings,
  SignalboxError,
  UnavailableError,
} from '@signalbox/core';
import { refuseDeep } from '../refuse-deep.ts';
import { unknownCommand } from '../routes/unknown-command.ts';
import { answerOf, type AnswerParts, notSent, outOfSight } from './agent-answers.ts';
import { createAgentForms } from './ask-in-agent.ts';
import { followOffers } from './follow-offers.ts';
import type { McpCaller, McpHouse, McpOffer } from './mcp-house.ts';
import { hearsProgress, tellProgress } from './tell-progress.ts';
import { TOOL_PREFIX } from './tool-prefix.ts';
import { progressOf } from './waiting-for.ts';

/** Agents give a silent call up after 60 s: before that we answer that it still waits. */
const SILENT_WAIT_MS = 45_000;

/** At most 512 characters, which all agents read; Codex keeps the first 250. True of every workspace. */
const INSTRUCTIONS = `Use the ${TOOL_PREFIX}* tools for files, shell and git in place of your own shell, edit and patch tools (apply_patch). An answer "waiting" names a command id: tell your user, call ${TOOL_PREFIX}wait with it, do not repeat the call. Other agents work here at the same time: a stale write is refused and says what changed; read the file again. A call may wait for a person or for files; a refusal says why. ${TOOL_PREFIX}read_output reads the rest of long output.`;

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
  readonly settings: () => McpSettings;
  /** Address of the dashboard; null where no port is open. */
  readonly address: () => Promise<string | null>;
  readonly version: string;
  readonly clock: Clock;
  readonly logger: Logger;
}): McpAgent {
  const { house, caller, settings, address, clock, logger } = parts;
  const forms = createAgentForms(parts);
  /** Calls that are being answered. */
  const working = new Set<Promise<unknown>>();
  /** Commands whose end it has not heard. */
  const open = new Set<CommandId>();

  function addTool(server: McpServer, offer: McpOffer): RegisteredTool {
    const { name, title, description, inputSchema, hints } = offer;
    return server.registerTool(
      TOOL_PREFIX + name,
      {
        title,
        description,
        inputSchema: takesAll(inputSchema),
        annotations: {
          title,
          readOnlyHint: hints.readOnly,
          destructiveHint: hints.destructive,
          idempotentHint: hints.idempotent,
          openWorldHint: hints.openWorld,
        },
        ...(offer.isBuiltIn ? { _meta: ALWAYS_LOAD } : {}),
      },
      (args, context) =>
        answered(async () => {
          const asked = await forms.answered(context);
          if (asked !== null) return attend(asked, context, patience(context));
          refuseDeep(args);
          const sent = await house.send({ tool: name, args: JsonObject.parse(args) }, caller);
          if (sent.result !== null) return answerNow(sent);
          open.add(sent.id);
          const dashboard = await address();
          const closeForm = forms.show(server, context, { view: sent, dashboard });
          try {
            return (
              forms.ask(context, { view: sent, dashboard }) ??
              (await attend(sent.id, context, patience(context)))
            );
          } finally {
            closeForm();
          }
        }),
    );
  }

  function addWait(server: McpServer): void {
    const title = 'Wait for a call';
    server.registerTool(
      `${TOOL_PREFIX}wait`,
      {
        title,
        description:
          'Waits for a call that was answered with "waiting", and gives its result when it is done: for as long as the call itself would have waited.',
        inputSchema: WaitForCall,
        annotations: {
          title,
          readOnlyHint: true,
          destructiveHint: false,
          idempotentHint: true,
          openWorldHint: false,
        },
        _meta: ALWAYS_LOAD,
      },
      ({ command, seconds }, context) =>
        answered(async () => {
          const id = CommandId.safeParse(command.trim()).data;
          if (id === undefined) throw unknownCommand(command.slice(0, 40));
          return attend(id, context, Math.min(patience(context), (seconds ?? Infinity) * 1000));
        }),
    );
  }

  function patience(context: ServerContext): number {
    const most = settings().max_wait;
    return hearsProgress(context) ? most : Math.min(most, SILENT_WAIT_MS);
  }

  /** Another provider's command is unknown here, over stdio and over HTTP. */
  async function checkOwn(id: CommandId, signal: AbortSignal): Promise<void> {
    if (open.has(id)) return;
    const { context } = await house.wait(id, 0, signal);
    if (context.provider !== caller.provider) throw unknownCommand(id);
  }

  async function answerNow(view: CommandView): Promise<CallToolResult> {
    return answerOf(view, { limits: settings(), ...(await waitOf(view)) });
  }

  async function waitOf(view: CommandView): Promise<Pick<AnswerParts, 'dashboard' | 'holder'>> {
    const [dashboard, holder] =
      view.result === null ? await Promise.all([address(), house.holderFor(view)]) : [null, null];
    return { dashboard, holder };
  }

  /** An agent reads what is wrong as a result of its call, never as a fault of the protocol. */
  async function answered<Answer>(work: () => Promise<Answer>): Promise<Answer | CallToolResult> {
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
    let stopTelling = (): void => undefined;
    try {
      await checkOwn(id, signal);
      stopTelling = tellProgress(context, {
        clock,
        logger,
        whatFor: () =>
          house.wait(id, 0, signal).then(
            async (view) => progressOf(view, await waitOf(view)),
            () => 'Signalbox is starting again',
          ),
      });
      const view = await house.wait(id, ms, signal);
      if (view.result !== null) open.delete(id);
      else if (signal.aborted) await cancel(id, 'its agent has cancelled the call or has gone');
      return await answerNow(view);
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
      const offers = await house.offers(caller);
      const add = (offer: McpOffer): RegisteredTool => addTool(server, offer);
      if (lasts) followOffers(server, offers, { house, caller, add, clock, logger });
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

/** Claude Code shows its model the names alone of other servers' tools, until it searches for one. */
const ALWAYS_LOAD = { 'anthropic/alwaysLoad': true };

/** The tool's own schema judges its arguments, in the one place where all callers are judged: with a result and an audit line. */
function takesAll(inputSchema: JsonObject): StandardSchemaWithJSON {
  const told = (): Record<string, unknown> => ({ ...inputSchema });
  return {
    '~standard': {
      version: 1,
      vendor: 'signalbox',
      validate: (value) => ({ value }),
      jsonSchema: { input: told, output: told },
    },
  };
}
