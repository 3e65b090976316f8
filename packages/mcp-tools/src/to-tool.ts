import { SdkError, SdkErrorCode, SdkHttpError } from '@modelcontextprotocol/client';
import {
  ALL_MODES,
  defineTool,
  type CallEnd,
  errorText,
  type JsonObject,
  type McpServerSettings,
  type Tool,
  type ToolAnswer,
  type ToolContext,
  ToolFailure,
  type ToolOrigin,
} from '@signalbox/core';
import { answerOf } from './answer-of.ts';
import { argumentsOf } from './arguments-of.ts';
import { cleanText } from './clean-text.ts';
import type { ListedTool } from './listed-tool.ts';
import { FOREIGN, type McpClient } from './open-client.ts';
import { traitsOf } from './tool-traits.ts';

const LONGEST_ERROR = 1000;

type Server = {
  readonly name: string;
  readonly settings: McpServerSettings;
  client(signal: AbortSignal): Promise<McpClient>;
  broken(client: McpClient, why: string): void;
  /** What a call that failed in another way left for programs of the person. */
  takenBack(why: readonly string[]): void;
  /** Notes that people let this definition of the tool run. */
  letRun(tool: ListedTool): void;
  /** How it is defined now; undefined when its server lists it no more. */
  definitionOf(name: string): string | undefined;
};

/** A tool of a server as one of ours: judged, approved, claimed and recorded like any other, and never called twice. */
export function toTool(listed: ListedTool, server: Server, isChanged: boolean): Tool {
  const { name, theirs, definition, inputSchema } = listed;
  const { settings } = server;
  const { effects, ...traits } = traitsOf(listed, settings);
  const agreed = effects.flatMap((effect) => (effect.kind === 'write' ? [effect.path] : []));
  return defineTool({
    name,
    description: `${listed.description}\n(Tool ${JSON.stringify(theirs)} of the MCP server "${server.name}")`,
    kind: 'mcp',
    requestKind: 'other',
    ...traits,
    allowedModes: ALL_MODES.filter((mode) => mode !== 'LOCKDOWN' || traits.category === 'read_only'),
    timeoutMs: settings.timeoutMs,
    retryable: false,
    args: argumentsOf(inputSchema),
    inputSchema,
    definition,
    isChanged,
    origin: { server: server.name, tool: theirs, ...confinementOf(settings) },
    describe: (args) => JSON.stringify(args),
    effects: () => effects,
    handle: (args, context) => call(args, context),
  }) as unknown as Tool;

  async function call(args: JsonObject, { signal, commandId }: ToolContext): Promise<ToolAnswer> {
    server.letRun(listed);
    const client = await server.client(signal);
    // Its server may have come back as another.
    if (server.definitionOf(name) !== definition) throw changed();
    const end = await client.begin({ id: commandId, agreed });
    return judged(await answered(client, args, signal), end);
  }

  async function answered(
    client: McpClient,
    args: JsonObject,
    signal: AbortSignal,
  ): Promise<ToolAnswer | ToolFailure> {
    try {
      return answerOf(name, await client.call(theirs, args, { signal, timeoutMs: settings.timeoutMs }));
    } catch (error) {
      return error instanceof ToolFailure ? error : failureOf(error, client, signal);
    }
  }

  /** @throws {ToolFailure} its own, and where the call left what only people may leave. */
  async function judged(answer: ToolAnswer | ToolFailure, end: CallEnd): Promise<ToolAnswer> {
    const left = await end();
    if (left.length > 0) {
      server.takenBack(left);
      throw quarantined(answer, left);
    }
    if (answer instanceof ToolFailure) throw answer;
    return answer;
  }

  function quarantined(answer: ToolAnswer | ToolFailure, why: readonly string[]): ToolFailure {
    return new ToolFailure({
      code: 'quarantined',
      category: 'PolicyBlocked',
      message: `${name} wrote ${FOREIGN}: that was taken back, its other changes stay`,
      suggestion: 'Write such a file by a call that names it, so that your person is asked',
      why: [...why, ...(answer instanceof ToolFailure ? [answer.message] : [])],
    });
  }

  function failureOf(error: unknown, client: McpClient, signal: AbortSignal): ToolFailure {
    if (signal.aborted)
      return new ToolFailure({ code: 'stopped', category: 'Cancelled', message: `${name} was stopped` });
    const message = cleanText(errorText(error), LONGEST_ERROR);
    if (isTimeout(error)) {
      return new ToolFailure({
        code: 'mcp-timeout',
        category: 'Timeout',
        message: `${name} did not answer within ${settings.timeoutMs} ms`,
        suggestion: 'It may have done its work all the same: look before you call it again',
      });
    }
    if (isLost(error)) {
      server.broken(client, message);
      return new ToolFailure({
        code: 'mcp-server-lost',
        category: 'NetworkError',
        message: `The MCP server "${server.name}" was lost while ${name} ran: ${message}`,
        suggestion: 'It may have done its work all the same: look before you call it again',
      });
    }
    return new ToolFailure({
      code: 'mcp-call-refused',
      category: 'PermanentFailure',
      message: `The MCP server "${server.name}" did not take the call: ${message}`,
      suggestion: 'Change the arguments, or do it another way',
    });
  }

  function changed(): ToolFailure {
    return new ToolFailure({
      code: 'tool-changed',
      category: 'PolicyBlocked',
      message: `Cannot call ${name}: its server changed what it says of it while the call waited`,
      suggestion: 'Read its description again; a new call is judged by that',
    });
  }
}

/** In words for people. A program without a sandbox has every right of the person who started Signalbox. */
function confinementOf({ reach }: McpServerSettings): Pick<ToolOrigin, 'confinement' | 'isConfined'> {
  if (reach.kind === 'http')
    return { confinement: `runs elsewhere: ${new URL(reach.url).host}`, isConfined: true };
  if (!reach.sandbox) return { confinement: 'no sandbox: runs with all your rights', isConfined: false };
  const workspace = { none: 'no workspace', read: 'workspace read-only', write: 'workspace writable' };
  const network = reach.network ? 'network on' : 'network off';
  return { confinement: `in a sandbox: ${workspace[reach.workspace]}, ${network}`, isConfined: true };
}

function isTimeout(error: unknown): boolean {
  return error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout;
}

/** Whether the connection is gone, and not only the call refused. */
function isLost(error: unknown): boolean {
  if (error instanceof SdkHttpError) return true;
  if (error instanceof SdkError)
    return [SdkErrorCode.ConnectionClosed, SdkErrorCode.NotConnected, SdkErrorCode.SendFailed].includes(
      error.code,
    );
  // What `fetch` throws.
  return error instanceof TypeError;
}
