import { type ApiClient, createClient } from '@signalbox/api';
import type { LocalAccess } from '../runtime/server/local-access.ts';
import { type SendOptions, sendTo } from './send-to.ts';

/**
 * The API of that coordinator. Besides the error for an invalid response, its methods throw
 *
 * - `UnavailableError` with `no-answer` when it cannot be reached, or with the reason why it can't answer now;
 * - `UsageError` for a rejected request.
 */
export function clientAt(access: LocalAccess, options: SendOptions = {}): ApiClient {
  return createClient((request) => sendTo(access, request, options));
}
