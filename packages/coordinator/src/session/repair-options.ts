import type { ToolOffer } from '@signalbox/core';
import type { OpenedModel } from '../model-requests/ask-model.ts';

/** How badly written arguments are repaired (B8, S001-100). */
export type RepairOptions = {
  /** Asked once for each call: the session's own model, or that of `tools.retry.parameter_reformat_provider`. */
  readonly model: OpenedModel;
  readonly offerOf: (tool: string) => ToolOffer | undefined;
};
