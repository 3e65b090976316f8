import * as z from 'zod';
import { defineOperation } from './operation.ts';

/** Which open port may be reused instead of a new one. */
export const PortReuse = z.enum(['none', 'equal', 'any-number', 'any']);
export type PortReuse = z.infer<typeof PortReuse>;

/** A TCP port of a coordinator, besides its socket. */
export const openPort = defineOperation('POST', '/api/ports', {
  schema: {
    body: z.strictObject({
      host: z.string().min(1).describe('Beyond this machine only with TLS, or `allowPlainHttp`'),
      port: z.int().min(0).max(65_535).describe('0: any free port'),
      allowedHosts: z.array(z.string().min(1)).describe('More names that requests may use in `Host`'),
      tls: z.strictObject({ cert: z.string(), key: z.string() }).nullable().describe('PEM texts'),
      allowPlainHttp: z.boolean(),
      until: z
        .enum(['request-ends', 'coordinator-ends'])
        .default('request-ends')
        .describe('When it closes: with this request, or with the coordinator'),
      reuse: PortReuse.default('none').describe(
        'Which open port may be returned instead of a new one: one with equal options, one with equal options except its number, or the oldest of any. With `request-ends` it stays open until its last request ends',
      ),
    }),
    response: { 200: z.unknown() },
  },
});

/**
 * The first line of the answer, as JSON. The answer then ends when the port closes or, where the port stays open, at
 * once.
 */
export const OpenedPort = z.object({ url: z.string() });
