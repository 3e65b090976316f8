import type { CommandId, JsonObject, ProviderId, SessionId, ToolHints } from '@signalbox/core';
import type { CommandView } from '@signalbox/api';
import type { BlockingHolder } from './waiting-for.ts';

/** A tool as MCP describes it. */
export type McpOffer = {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of its arguments. */
  readonly inputSchema: JsonObject;
  readonly hints: ToolHints;
  /** For people: "Read file". */
  readonly title: string;
  /** A built-in tool, which an agent should find without a search. */
  readonly isBuiltIn: boolean;
};

/** The identity of an agent's calls. */
export type McpCaller = { readonly provider: ProviderId; readonly sessionId: SessionId };

/** The coordinator as agents' calls reach it: in this process, or over HTTP in another. */
export type McpRuntime = {
  offers(caller: McpCaller): Promise<readonly McpOffer[]>;
  /** The offers, as soon as they differ from that stamp, or after `ms`, or when `signal` aborts. */
  offersUnlike(
    stamp: string,
    caller: McpCaller,
    options: Readonly<{ ms: number; signal: AbortSignal }>,
  ): Promise<readonly McpOffer[]>;
  /** Settles when the command is pending approval, queued, running or done. */
  send(call: { readonly tool: string; readonly args: JsonObject }, caller: McpCaller): Promise<CommandView>;
  /**
   * Settles when it is done, after `ms`, or when `signal` aborts, with its state then.
   *
   * The caller checks whose command it is. @throws {UsageError | RequestRefusedError} `unknown-command`.
   */
  wait(id: CommandId, ms: number, signal: AbortSignal): Promise<CommandView>;
  /** The holder of what it waits for; null when it is not queued, or waits only for a slot. */
  holderFor(view: CommandView): Promise<BlockingHolder | null>;
  /**
   * A person's answer to the approval request that they saw, given in the agent's own window. Absent where an agent's
   * answer can't be told from a person's.
   */
  answer?(
    id: CommandId,
    given: {
      /** `extend`: decides nothing and extends the approval by five minutes. */
      readonly answer: 'approve' | 'deny' | 'extend';
      readonly callHash: string;
      readonly reason?: string;
    },
  ): Promise<void>;
  /** The same for a question: the person's words. */
  reply?(id: CommandId, given: { readonly callHash: string; readonly text: string }): Promise<void>;
  /** Does nothing to a command that is done. */
  cancel(id: CommandId, caller: McpCaller, options: Readonly<{ reason: string }>): Promise<void>;
};
