import type { ProviderId } from '@signalbox/core';

/** What a provider has in the coordinator now, and when it got a lease last: places are shared by it. */
export type Share = {
  /** Commands that wait, but for those that need no place. */
  waiting: number;
  held: number;
  /** Number of the newest grant when it came, or of its own newest since. */
  turn: number;
};

/** The shares of all providers that hold a lease or wait for a place; those of others are forgotten. */
export type Shares = {
  of(provider: ProviderId): Readonly<Share>;
  /** One more waits, or one fewer. */
  waits(provider: ProviderId, by: 1 | -1): void;
  granted(provider: ProviderId): void;
  released(provider: ProviderId): void;
};

const NOTHING: Readonly<Share> = { waiting: 0, held: 0, turn: 0 };

export function createShares(): Shares {
  const shares = new Map<ProviderId, Share>();
  let grants = 0;

  const update = (provider: ProviderId, change: (share: Share) => void): void => {
    const share = shares.get(provider) ?? { waiting: 0, held: 0, turn: grants };
    change(share);
    if (share.waiting + share.held > 0) shares.set(provider, share);
    else shares.delete(provider);
  };

  return {
    of: (provider) => shares.get(provider) ?? NOTHING,
    waits: (provider, by) =>
      update(provider, (share) => {
        share.waiting += by;
      }),
    granted(provider) {
      grants += 1;
      update(provider, (share) => {
        share.held += 1;
        share.turn = grants;
      });
    },
    released: (provider) =>
      update(provider, (share) => {
        share.held -= 1;
      }),
  };
}
