import * as z from 'zod';
import { Problem } from '../problem.ts';
import type { RouteParts, Routes } from './route-parts.ts';

/** Of the API between clients and coordinator; it grows by one when an older client would misunderstand. */
export const PROTOCOL = 1;

/** What a client learns of a coordinator before it asks for anything. */
export const Hello = z
  .strictObject({
    version: z.string(),
    protocol: z
      .int()
      .describe('Another number: this client and this coordinator do not understand each other'),
    pid: z.int(),
    since: z.number().describe('When it was started, epoch milliseconds'),
    backend: z.enum(['embedded', 'redis']),
    workspace: z.string().describe('Absolute path'),
  })
  .meta({ id: 'Hello' });
export type Hello = z.infer<typeof Hello>;

export function helloRoutes(app: Routes, { hello, version }: RouteParts): void {
  app.get(
    '/api/hello',
    {
      config: { access: ['look'] },
      schema: {
        summary: 'Which coordinator this is, and whether a client understands it',
        tags: ['house'],
        response: { 200: Hello, default: Problem },
      },
    },
    async () => ({ ...hello, version, protocol: PROTOCOL }),
  );
}
