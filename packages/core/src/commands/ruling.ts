import * as z from 'zod';
import { Failure } from '../errors/failure.ts';

const base = {
  /** Id of the deciding rule, such as `dangerous-asks`. */
  rule: z.string(),
  /** Where the rule is defined: `built in`, or `signalbox.yaml:23`. */
  source: z.string(),
  /** In plain words, no full stop. */
  reason: z.string(),
};

/** The policy's answer; the strictest of all rules wins. */
export const Ruling = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('allow'), ...base }).readonly(),
  z
    .strictObject({
      kind: z.literal('ask'),
      ...base,
      /** How many different people must approve. */
      approvers: z.int().min(1).max(2).default(1),
    })
    .readonly(),
  z
    .strictObject({
      kind: z.literal('deny'),
      ...base,
      /** `blocked`: no approval and no mode lifts it. */
      outcome: z.enum(['denied', 'blocked']),
      failure: Failure,
    })
    .readonly(),
]);
export type Ruling = z.infer<typeof Ruling>;
