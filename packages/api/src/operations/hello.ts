import * as z from 'zod';
import { defineOperation } from '../operation.ts';

/** Version of the API between clients and coordinator; raised when an older client would misunderstand it. */
export const PROTOCOL = 2;

export const RecoveryView = z
  .object({ done: z.int(), of: z.int() })
  .describe('Commands from before the start that are taken over, before any new call; null when all are');
export type RecoveryView = z.infer<typeof RecoveryView>;

/** What a client learns about a coordinator before any other request. */
export const Hello = z
  .object({
    version: z.string(),
    protocol: z.int().describe('With another number this client and this coordinator are incompatible'),
    pid: z.int(),
    since: z.number().describe('When it was started, epoch milliseconds'),
    backend: z.enum(['embedded', 'redis']),
    workspace: z.string().describe('Absolute path'),
    recovering: RecoveryView.nullable(),
  })
  .meta({ id: 'Hello' });
export type Hello = z.infer<typeof Hello>;

export const getHello = defineOperation('GET', '/api/hello', { schema: { response: { 200: Hello } } });
