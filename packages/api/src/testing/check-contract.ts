import { isDeepStrictEqual } from 'node:util';
import { operations } from '../operations.ts';
import type * as z from 'zod';

const patterns = Object.values(operations).map((operation) => ({
  operation,
  pattern: new RegExp(`^${operation.url.replaceAll(/:\w+/g, '[^/]+')}$`),
}));

/**
 * Checks a server's answer against the contract: fields that the schema does not have must not be sent either.
 *
 * @throws for an answer that does not match the contract. Requests that are no operation pass.
 */
export function checkContract(
  { method, path }: Readonly<{ method: string; path: string }>,
  { status, body }: Readonly<{ status: number; body: unknown }>,
): void {
  const [pathname = ''] = path.split('?');
  const found = patterns.find((one) => one.operation.method === method && one.pattern.test(pathname));
  if (found === undefined) return;
  const { default: problem, ...answers }: Readonly<Record<string, z.ZodType>> & { default: z.ZodType } =
    found.operation.schema.response;
  const schema = answers[status] ?? problem;
  if (isDeepStrictEqual(schema.parse(body), body)) return;
  throw new Error(`${method} ${pathname} answers more than the contract has: ${JSON.stringify(body)}`);
}
