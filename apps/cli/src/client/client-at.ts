import { type ApiClient, createClient } from '@signalbox/api';
import type { LocalAccess } from '../runtime/server/local-access.ts';
import { type SendOptions, sendTo } from './send-to.ts';

/**
 * The API of that coordinator. Besides an answer that is not understood, its methods throw
 *
 * - `UnavailableError` `no-answer` when it cannot be reached, or what keeps it from answering now;
 * - `UsageError` for a refusal.
 */
export function clientAt(access: LocalAccess, options: SendOptions = {}): ApiClient {
  return createClient((request) => sendTo(access, request, options));
}
