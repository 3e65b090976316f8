import type { CallContext, CommandRecord, Tool } from '@signalbox/core';
import type { Judgement } from '../judging/judge-call.ts';
import type { Offer, OfferRequest } from './offer.ts';

/** What callers are offered, and what follows from it for their calls. */
export type Offers = {
  of(request: OfferRequest): Promise<Offer>;
  /** Rejects a call whose tool requires others first. Otherwise the session is offered the tool from now on. */
  gated(judgement: Judgement, context: CallContext): Promise<Judgement>;
  /** A command has run. */
  noteRan(record: CommandRecord, success: boolean): void;
  /** Tools that the filter left out, by what they do, best first; the caller is offered them from now on. */
  find(words: string, context: CallContext): Promise<readonly Tool[]>;
  /** Whether a model should think before it fills in the arguments, by the threshold, whether or not it is offered a field. */
  isComplex(tool: string): boolean;
  /** Null while the filter is off. */
  filter(): Promise<FilterSummary | null>;
};

/** The filter as `status` shows it (S001-79). */
export type FilterSummary = {
  readonly topK: number;
  readonly alwaysOn: number;
  /** Stored embeddings of tools; 0 where they are ranked by words. */
  readonly embeddings: number;
};
