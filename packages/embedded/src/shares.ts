import type { ProviderId } from '@signalbox/core';

/** A provider's waiting and held commands, and its latest grant. Slots are shared fairly by these. */
export type Share = {
  /** Waiting commands, except those that need no slot. */
  waiting: number;
  held: number;
  /** Number of the provider's latest grant, or of the latest grant of all when its share was created. */
  turn: number;
};

/** The shares of all providers that hold a lease or wait for a slot; the others are dropped. */
export type Shares = {
  of(provider: ProviderId): Readonly<Share>;
  /** Adds 1 to or subtracts 1 from the waiting commands. */
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
