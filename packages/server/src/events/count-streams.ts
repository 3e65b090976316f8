/** Per token, so that one token can't use all the memory; a dashboard opens one stream for each of its pages. */
const MOST_STREAMS = 200;

/** Counts open streams by token. */
export function countStreams(): {
  /** Returns a function that reports the end of the stream; null when the token is at its limit. */
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
