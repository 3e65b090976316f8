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
  /** Reports reverted files of a call that failed for another reason. */
  takenBack(why: readonly string[]): void;
  /** Records that people allowed this definition of the tool. */
  letRun(tool: ListedTool): void;
  /** The current definition; undefined if its server no longer lists it. */
  definitionOf(name: string): string | undefined;
};

/**
 * Wraps a server's tool as one of ours: judged, approved, claimed and recorded like any other. Retried only if its
 * trusted server marks it read-only and idempotent.
 */
export function toTool(listed: ListedTool, isChanged: boolean, server: Server): Tool {
  const { name, theirs, definition, inputSchema } = listed;
  const { settings } = server;
  const { effects, ...traits } = traitsOf(listed, settings);
  const serverText = `the MCP server ${server.name}`;
  const agreed = effects.flatMap((effect) => (effect.kind === 'write' ? [effect.path] : []));
  return defineTool({
    name,
    description: `${listed.description}\n(Tool ${JSON.stringify(theirs)} of the MCP server "${server.name}")`,
    kind: 'mcp',
    requestKind: 'other',
    ...traits,
    allowedModes: ALL_MODES.filter((mode) => mode !== 'LOCKDOWN' || traits.category === 'read_only'),
    timeoutMs: settings.timeoutMs,
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
    // Its server may have restarted with another definition.
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
      const answer = answerOf(
        name,
        await client.call(theirs, args, { signal, timeoutMs: settings.timeoutMs }),
      );
      return { ...answer, untrusted: serverText };
    } catch (error) {
      return error instanceof ToolFailure ? error : failureOf(error, client, signal);
    }
  }

  /** @throws {ToolFailure} the failure itself, or one for files that only people may write */
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
      message: `${name} wrote ${FOREIGN}: those were reverted, its other changes stay`,
      suggestion: 'Write such a file with a call that names it, so that the user is asked',
      // Not the server's own words: this text is ours.
      why: [...why, ...(answer instanceof ToolFailure ? ['The call itself failed, too'] : [])],
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
        suggestion: 'It may have done its work anyway: check before you call it again',
      });
    }
    if (isLost(error)) {
      server.broken(client, message);
      return new ToolFailure({
        code: 'mcp-server-lost',
        category: 'NetworkError',
        message: `The MCP server "${server.name}" was lost while ${name} ran: ${message}`,
        suggestion: 'It may have done its work anyway: check before you call it again',
      });
    }
    return new ToolFailure({
      code: 'mcp-call-refused',
      category: 'PermanentFailure',
      message: `The MCP server "${server.name}" rejected the call: ${message}`,
      suggestion: 'Change the arguments, or use another approach',
    });
  }

  function changed(): ToolFailure {
    return new ToolFailure({
      code: 'tool-changed',
      category: 'PolicyBlocked',
      message: `Cannot call ${name}: its server changed the tool's description while the call was waiting`,
      suggestion: 'Read its description again; a new call is checked against that',
    });
  }
}

/** The confinement in words. A program without a sandbox has all rights of the user who started Signalbox. */
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

/** Whether the connection is lost, as opposed to a rejected call. */
function isLost(error: unknown): boolean {
  if (error instanceof SdkHttpError) return true;
  if (error instanceof SdkError)
    return [SdkErrorCode.ConnectionClosed, SdkErrorCode.NotConnected, SdkErrorCode.SendFailed].includes(
      error.code,
    );
  // Thrown by `fetch`.
  return error instanceof TypeError;
}
