import type { ApiRequest } from '@signalbox/api';
import { UnavailableError } from '@signalbox/core';
import type * as z from 'zod';
import { sendTo } from '../client/client-at.ts';
import type { LocalAccess } from './local-access.ts';

/** For `watch`, until it asks by the typed client. */
export async function askServer<Answer>(
  access: LocalAccess,
  { onAsOf = () => undefined, ...request }: ApiRequest & Readonly<{ onAsOf?: (asOf: number) => void }>,
  schema: z.ZodType<Answer>,
): Promise<Answer> {
  const answer = schema.safeParse((await sendTo(access, request, { onAsOf })).body);
  if (answer.success) return answer.data;
  throw new UnavailableError('no-signalbox', `Cannot understand the answer of ${access.url}`, {
    cause: answer.error,
  });
}
