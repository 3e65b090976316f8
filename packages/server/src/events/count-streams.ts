/** Of one token, so that nobody takes the memory of all; a dashboard has one for each of its pages. */
const MOST_STREAMS = 200;

/** Counts the streams that are open, by token. */
export function countStreams(): {
  /** Answers how to tell that it ended; null when the token has as many as it may. */
  open(tokenId: string): (() => void) | null;
} {
  const counts = new Map<string, number>();
  return {
    open(tokenId) {
      const count = counts.get(tokenId) ?? 0;
      if (count >= MOST_STREAMS) return null;
      counts.set(tokenId, count + 1);
      return () => {
        const left = (counts.get(tokenId) ?? 1) - 1;
        if (left === 0) counts.delete(tokenId);
        else counts.set(tokenId, left);
      };
    },
  };
}
