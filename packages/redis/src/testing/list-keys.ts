import { Redis } from 'ioredis';

/** All keys of a server, for tests that look for what was left. */
export async function listKeys(url: string, pattern: string): Promise<readonly string[]> {
  const redis = new Redis(url);
  try {
    return await redis.keys(pattern);
  } finally {
    redis.disconnect();
  }
}

/** Of BullMQ's history, which outlives its commands; not the lists of those that have not ended. */
export function isJobHistory(key: string): boolean {
  return /(?:^|:)commands:(?!(?:active|prioritized|wait|stalled)$)/.test(key);
}
