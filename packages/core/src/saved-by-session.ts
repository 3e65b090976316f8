import type { Event } from './event.ts';
import { NO_SAVINGS, type Savings } from './savings.ts';

/** Of a session by one of its events; those of its calls are counted once, by `calls_saved`. */
export function savedBySession(event: Event): Savings {
  if (event.type === 'calls_saved') return event.saved;
  if (event.type === 'turn_ended')
    return { ...NO_SAVINGS, tokens: { ...NO_SAVINGS.tokens, offers: event.filter?.tokensSaved ?? 0 } };
  if (event.type !== 'context_compressed' || event.how === 'none') return NO_SAVINGS;
  const compressions = Math.max(0, event.beforeTokens - event.afterTokens);
  return { ...NO_SAVINGS, tokens: { ...NO_SAVINGS.tokens, compressions } };
}
