import type { Mode, Phase, ProviderId, SessionId, Tool, ToolOffer } from '@signalbox/core';
import type { OfferObstacle } from '@signalbox/policy';

/** Who is offered tools, and for what. */
export type OfferRequest = {
  /** What it has been offered and has done so far counts. Absent: nothing. */
  readonly session?: { readonly sessionId: SessionId; readonly provider: ProviderId } | undefined;
  /** Names that the provider's settings list; null: all. */
  readonly declared: readonly string[] | null;
  /** Default: the current mode. */
  readonly mode?: Mode | undefined;
  /** Of its calls. Default `executor`. */
  readonly phase?: Phase | undefined;
  /**
   * `native`: a model that calls tools by its API. `prompt`: one that reads them in its prompt. `agent`: another
   * program, with its own model and prompt.
   */
  readonly caller: 'native' | 'prompt' | 'agent';
  /** The person's words to the model; empty: unknown. */
  readonly task: string;
};

/** Why a tool is offered (S001-76). */
export type OfferReason =
  /** The filter is off for this caller, or there is nothing to rank by. */
  | 'unfiltered'
  | 'always-on'
  /** Listed in `never_left_out`. */
  | 'basic'
  /** The task names it. */
  | 'named'
  /** Of an MCP server, with too few words to rank it by. */
  | 'short-description'
  /** The embedding of its description is missing. */
  | 'no-embedding'
  /** Offered to this session before, or called by it. */
  | 'kept'
  /** Built in, for an agent whose task is unknown. */
  | 'built-in'
  /** Among the most similar to the task. */
  | 'ranked'
  /** Finds those that are left out. */
  | 'search'
  /** A session offers it to its model, whatever the filter leaves out. */
  | 'session';

/** How similar a tool is to the task, from 0 to 1, with what preferred tools add. */
export type Similarity = {
  readonly similarity: number;
  readonly boost: number;
  /** From 1; among those that are ranked. */
  readonly rank: number;
};

export type OfferedTool = {
  readonly tool: Tool;
  /** As the model reads it. */
  readonly definition: ToolOffer;
  readonly reason: OfferReason;
  /** Set for ranked ones. */
  readonly similarity?: Similarity;
};

/** Why a tool is not offered. */
export type HiddenReason =
  | { readonly kind: 'not-offered'; readonly because: OfferObstacle }
  | { readonly kind: 'left-out'; readonly similarity: Similarity | null }
  /** These tools must succeed first. */
  | { readonly kind: 'requires'; readonly missing: readonly string[] };

export type HiddenTool = { readonly tool: Tool; readonly reason: HiddenReason };

/** What a caller is offered now. The same for the same request while nothing changed. */
export type OfferPlan = {
  /** By name. */
  readonly offered: readonly OfferedTool[];
  /** By name. */
  readonly hidden: readonly HiddenTool[];
  /** Whether the filter chose among them. */
  readonly isFiltered: boolean;
  /** Tools whose requirements don't count now: otherwise there would be no tool to call (S001-89). */
  readonly lifted: readonly string[];
  /** Estimated tokens of the definitions that the filter left out, per request. */
  readonly tokensSaved: number;
};
