import { Redis } from 'ioredis';

/** All keys of a server, for tests that check what was left behind. */
export async function listKeys(url: string, pattern: string): Promise<readonly string[]> {
  const redis = new Redis(url);
  try {
    return await redis.keys(pattern);
  } finally {
    redis.disconnect();
  }
}

/** Whether a key belongs to BullMQ's history, which outlives its commands; not the lists of unfinished jobs. */
export function isJobHistory(key: string): boolean {
  return /(?:^|:)commands:(?!(?:active|prioritized|wait|stalled)$)/.test(key);
}
