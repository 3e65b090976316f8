import type * as z from 'zod';
import { Problem } from './problem.ts';

/**
 * One request of the API and its answers.
 *
 * The server uses `schema` for its route; the client fills in `url` from `params` and `querystring`, and parses the
 * answer by `response[200]`, or `response[202]` where there is no other.
 */
export type Operation = Readonly<{
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** `/api/commands/:id`. */
  url: string;
  schema: Readonly<{
    params?: z.ZodType;
    querystring?: z.ZodType;
    body?: z.ZodType;
    response: Readonly<{ 200?: z.ZodType; 202?: z.ZodType; default: typeof Problem }>;
  }>;
}>;

type Asked = Omit<Operation['schema'], 'response'> & {
  readonly response: Readonly<{ 200?: z.ZodType; 202?: z.ZodType }>;
};

/** Adds the problem response that every operation may give. */
export function defineOperation<
  const Method extends Operation['method'],
  const Url extends string,
  Of extends Asked,
>(method: Method, url: Url, { schema }: Readonly<{ schema: Of }>) {
  const response: Of['response'] & { readonly default: typeof Problem } = {
    ...schema.response,
    default: Problem,
  };
  return { method, url, schema: { ...schema, response } };
}
