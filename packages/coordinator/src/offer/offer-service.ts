import type { OfferPlan, OfferRequest } from './offer.ts';

/** What providers and their sessions are offered. */
export type OfferService = {
  of(request: OfferRequest): Promise<OfferPlan>;
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
