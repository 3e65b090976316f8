import * as z from 'zod';
import { RecoveryView } from './hello.ts';
import { defineOperation } from '../operation.ts';

const Health = z.object({
  status: z.literal('ok'),
  version: z.string(),
  away: z
    .object({
      since: z.number().describe('Epoch milliseconds'),
      asOf: z.number().describe('Time of the data returned meanwhile, epoch milliseconds'),
      why: z.string(),
    })
    .nullable()
    .describe('Null while the backend answers'),
  recovering: RecoveryView.nullable(),
});

export const getHealth = defineOperation('GET', '/health', { schema: { response: { 200: Health } } });

export const getReady = defineOperation('GET', '/ready', {
  schema: {
    response: { 200: z.object({ status: z.literal('ready') }) },
  },
});

/** Answers with text for Prometheus. */
export const getMetrics = defineOperation('GET', '/metrics', { schema: { response: { 200: z.unknown() } } });
