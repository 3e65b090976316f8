import * as z from 'zod';
import { Phase } from '../../commands/call.ts';
import { ToolPattern } from './canonical-tool-name.ts';

/** All are sent with each request to the judge. */
export const MAX_PLAIN_POLICIES = 50;

const text = z.string().trim().min(1, { error: 'must say what is not allowed' }).max(1000);

/** A policy in plain words; as an object also the calls to which it applies. */
export const PlainPolicy = z.union([
  text,
  z.strictObject({
    policy: text,
    /** Default: all. */
    phases: z.array(Phase).min(1).optional(),
    tools: z.array(ToolPattern).min(1).optional(),
    providers: z.array(z.string()).min(1).optional(),
  }),
]);
export type PlainPolicy = z.infer<typeof PlainPolicy>;
