import { posix } from 'node:path';
import {
  type CallToolRequest,
  type CallToolResult,
  type InputRequiredResult,
  McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { CommandView } from '@signalbox/api';
import {
  type Clock,
  type CommandId,
  JsonObject,
  type Logger,
  type McpSettings,
  SignalboxError,
  UnavailableError,
  UsageError,
} from '@signalbox/core';
import { refuseDeep } from '../refuse-deep.ts';
import { unknownCommand } from '../routes/commands/unknown-command.ts';
import { answerOf, type AnswerParts, notSent, sentButUnreadable } from './agent-answers.ts';
import { createAgentForms } from './ask-in-agent.ts';
import { followOffers } from './follow-offers.ts';
import { LISTED_WAIT, toListed, WAIT, waitOfArgs, waitsOpen } from './listed-tools.ts';
import type { McpCaller, McpOffer, McpRuntime } from './mcp-runtime.ts';
import { sendProgress, wantsProgress } from './send-progress.ts';
import type { StartFolder } from './start-folder.ts';
import { instructionsFor } from './agent-instructions.ts';
import { TOOL_PREFIX } from './tool-prefix.ts';
import { progressOf } from './waiting-for.ts';

/** Agents give up on a silent call after 60 s, so we answer before that that it still waits. */
const SILENT_WAIT_MS = 45_000;

/** Pending calls to check, for an agent that waits for none of them. */
const MAX_CHECKED = 20;

/** The coordinator's limit on a tool name; no tool has a longer one. */
const LONGEST_NAME = 256;
/** More created files are a build, which knows its folder. */
const MAX_CREATED = 3;
/** The start folder of the agent's program, relative to the workspace, and a check for folders. */
type StartedIn = {
  readonly startedIn: string;
  readonly isFolder: (path: string) => Promise<boolean>;
};

/** One connected agent. */
export type McpAgent = {
  /**
   * Creates a server for it; all servers share one session. A connection that `lasts` has one server and is notified
   * when tools change. Otherwise each request has its own, with the tools of that moment.
   */
  serve(connection: { readonly lasts: boolean }): Promise<McpServer>;
  /** Cancels the commands whose end the agent has not received. Its connections are closed by then. */
  leave(): Promise<void>;
};

export function createMcpAgent(parts: {
  readonly runtime: McpRuntime;
  readonly caller: McpCaller;
  readonly settings: () => McpSettings;
  /** Address of the dashboard; null where no port is open. */
  readonly address: () => Promise<string | null>;
  readonly version: string;
  readonly start: StartFolder;
  /** Whether a relative path is a folder of the workspace. */
  readonly isFolder: (path: string) => Promise<boolean>;
  readonly clock: Clock;
  readonly logger: Logger;
}): McpAgent {
  const { runtime, caller, settings, address, start, clock, logger } = parts;
  const forms = createAgentForms(parts);
  /** Calls in progress. */
  const working = new Set<Promise<unknown>>();
  /** Commands whose end the agent has not received. */
  const open = new Set<CommandId>();
  /** The offers of the newest connection; all connections have the same. */
  let offered: () => readonly McpOffer[] = () => [];

  /** Every tool call ends here, including unknown names: it is judged like any call and has an audit line. */
  async function call(
    server: McpServer,
    { name, arguments: args = {} }: CallToolRequest['params'],
    context: ServerContext,
  ): Promise<CallToolResult | InputRequiredResult> {
    const tool = name.startsWith(TOOL_PREFIX) ? name.slice(TOOL_PREFIX.length) : name;
    if (tool === WAIT) return wait(args, context);
    const asked = await forms.answered(context);
    if (asked !== null) return afterForm(asked, context);
    refuseDeep(args);
    const sent = await runtime.send(
      { tool: tool.slice(0, LONGEST_NAME), args: JsonObject.parse(args) },
      caller,
    );
    if (sent.result !== null) return answerNow(sent);
    open.add(sent.id);
    const dashboard = await address();
    const closeForm = forms.show(server, context, { view: sent, dashboard });
    try {
      return (
        forms.ask(context, { view: sent, dashboard }) ?? (await attend(sent.id, patience(context), context))
      );
    } finally {
      closeForm();
    }
  }

  /** After a request for more time the person gets the same form again. */
  async function afterForm(
    { id, isExtended }: NonNullable<Awaited<ReturnType<typeof forms.answered>>>,
    context: ServerContext,
  ): Promise<CallToolResult | InputRequiredResult> {
    const view = isExtended ? await runtime.wait(id, 0, context.mcpReq.signal) : null;
    const again = view === null ? null : forms.ask(context, { view, dashboard: await address() });
    return again ?? attend(id, patience(context), context);
  }

  async function wait(args: unknown, context: ServerContext): Promise<CallToolResult> {
    const asked = waitOfArgs(args);
    if ('why' in asked) {
      const waiting = await Promise.allSettled(
        [...open].slice(0, MAX_CHECKED).map((id) => runtime.wait(id, 0, context.mcpReq.signal)),
      );
      const next = waitsOpen(waiting.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : [])));
      throw new UsageError('invalid-arguments', `Cannot wait: ${asked.why}`, { next });
    }
    return attend(asked.command, Math.min(patience(context), (asked.seconds ?? Infinity) * 1000), context);
  }

  function patience(context: ServerContext): number {
    const max = settings().max_wait;
    return wantsProgress(context) ? max : Math.min(max, SILENT_WAIT_MS);
  }

  /** A command of another provider is unknown here, over stdio and over HTTP. */
  async function checkOwn(id: CommandId, signal: AbortSignal): Promise<void> {
    if (open.has(id)) return;
    const { context } = await runtime.wait(id, 0, signal);
    if (context.provider !== caller.provider) throw unknownCommand(id);
  }

  async function answerNow(view: CommandView): Promise<CallToolResult> {
    const reported = await withElsewhereNotes(view, { startedIn: start.folder(), isFolder: parts.isFolder });
    const tools = new Set(offered().map(({ name }) => name));
    return answerOf(reported, { limits: settings(), tools, ...(await waitOf(view)) });
  }

  async function waitOf(view: CommandView): Promise<Pick<AnswerParts, 'dashboard' | 'holder'>> {
    const [dashboard, holder] =
      view.result === null ? await Promise.all([address(), runtime.holderFor(view)]) : [null, null];
    return { dashboard, holder };
  }

  /** An agent reads an error as the result of its call, never as a protocol error. */
  async function answered(
    work: () => Promise<CallToolResult | InputRequiredResult>,
  ): Promise<CallToolResult | InputRequiredResult> {
    const answer = work().catch((error: unknown) => {
      if (!(error instanceof SignalboxError)) logger.error({ error }, 'call of an agent failed');
      return notSent(error);
    });
    working.add(answer);
    return answer.then(start.withNote).finally(() => working.delete(answer));
  }

  /** Waits with the agent; an agent that cancels or leaves cancels its call. */
  async function attend(id: CommandId, ms: number, context: ServerContext): Promise<CallToolResult> {
    const { signal } = context.mcpReq;
    let stopProgress = (): void => undefined;
    try {
      await checkOwn(id, signal);
      stopProgress = sendProgress(context, {
        clock,
        logger,
        describeWait: () =>
          runtime.wait(id, 0, signal).then(
            async (view) => progressOf(view, await waitOf(view)),
            () => 'Signalbox is starting again',
          ),
      });
      const view = await runtime.wait(id, ms, signal);
      if (view.result !== null) open.delete(id);
      else if (signal.aborted) await cancel(id, 'its agent cancelled the call or disconnected');
      return await answerNow(view);
    } catch (error) {
      if (error instanceof UnavailableError) return sentButUnreadable(id, error);
      throw error;
    } finally {
      stopProgress();
    }
  }

  async function cancel(id: CommandId, reason: string): Promise<void> {
    await runtime.cancel(id, caller, { reason });
    open.delete(id);
  }

  return {
    async serve({ lasts }) {
      const server = new McpServer(
        { name: 'signalbox', version: parts.version },
        {
          instructions: instructionsFor(start.folder()),
          capabilities: { tools: { listChanged: true } },
          // Merges simultaneous changes into one notification.
          debouncedNotificationMethods: ['notifications/tools/list_changed'],
        },
      );
      const offers = await runtime.offers(caller);
      const current = lasts
        ? followOffers(server, offers, { runtime, caller, clock, logger })
        : (): readonly McpOffer[] => offers;
      offered = current;
      server.server.setRequestHandler('tools/list', () => ({
        tools: [...current().map(toListed), LISTED_WAIT],
      }));
      server.server.setRequestHandler('tools/call', ({ params }, context) =>
        answered(async () => {
          const learned = start.learn(server, context);
          const answer = await call(server, params, context);
          await learned;
          return answer;
        }),
      );
      return server;
    },
    async leave() {
      await Promise.all(working);
      const cancelled = await Promise.allSettled(
        [...open].map((id) => cancel(id, 'its agent has disconnected')),
      );
      for (const one of cancelled)
        if (one.status === 'rejected')
          logger.warn({ error: one.reason }, 'call of an agent that has gone not cancelled');
    },
  };
}

/**
 * Adds a note on each created file that an agent in a sub-folder may have meant to create there: paths are relative to
 * the root, and the file's folder also exists below the agent's own.
 */
async function withElsewhereNotes(
  view: CommandView,
  { startedIn, isFolder }: StartedIn,
): Promise<CommandView> {
  const { result } = view;
  if (startedIn === '.' || result === null) return view;
  const created = result.files.filter(({ kind }) => kind === 'created').map(({ path }) => path);
  if (created.length > MAX_CREATED) return view;
  const notes: string[] = [];
  for (const path of created) {
    if (path.startsWith(`${startedIn}/`) || !(await isFolder(posix.join(startedIn, posix.dirname(path)))))
      continue;
    const meant = posix.join(startedIn, path);
    notes.push(`written to ${path} at the root of the workspace, not ${meant}: paths count from the root`);
  }
  return notes.length === 0
    ? view
    : { ...view, result: { ...result, notes: [...(result.notes ?? []), ...notes] } };
}
