import type { CommandId, JsonObject, ProviderId, SessionId, ToolHints } from '@signalbox/core';
import type { CommandView } from '@signalbox/api';
import type { BlockingHolder } from './waiting-for.ts';

/** A tool as the protocol tells of it. */
export type McpOffer = {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of its arguments. */
  readonly inputSchema: JsonObject;
  readonly hints: ToolHints;
  /** For people: "Read file". */
  readonly title: string;
  /** One of Signalbox's own, which an agent should not have to search for. */
  readonly isBuiltIn: boolean;
};

/** As whom an agent calls. */
export type McpCaller = { readonly provider: ProviderId; readonly sessionId: SessionId };

/** The coordinator as an agent's calls reach it: in this process, or over HTTP in another. */
export type McpRuntime = {
  offers(caller: McpCaller): Promise<readonly McpOffer[]>;
  /** What is offered, as soon as it is not what that stamp stands for, or after `ms`, or when `signal` aborts. */
  offersUnlike(
    stamp: string,
    caller: McpCaller,
    ms: number,
    signal: AbortSignal,
  ): Promise<readonly McpOffer[]>;
  /** Where it rests: it waits for a person or in the queue, runs, or is done. */
  send(call: { readonly tool: string; readonly args: JsonObject }, caller: McpCaller): Promise<CommandView>;
  /**
   * Settles when it is done, after `ms`, or when `signal` aborts, with how it stands then.
   *
   * Whose command it is, is for the caller to look at. @throws {UsageError | RequestRefusedError} `unknown-command`.
   */
  wait(id: CommandId, ms: number, signal: AbortSignal): Promise<CommandView>;
  /** Who holds what it waits for; null where it is not in the queue, or waits for a slot alone. */
  holderFor(view: CommandView): Promise<BlockingHolder | null>;
  /**
   * A person's answer to the question that they saw, given in the agent's own window. Absent where an agent's word can't
   * be told from its person's.
   */
  answer?(
    id: CommandId,
    given: {
      /** `extend`: decides nothing, and gives the question five more minutes. */
      readonly answer: 'approve' | 'deny' | 'extend';
      readonly callHash: string;
      readonly reason?: string;
    },
  ): Promise<void>;
  /** Does nothing to a command that is done. */
  cancel(id: CommandId, caller: McpCaller, reason: string): Promise<void>;
};
