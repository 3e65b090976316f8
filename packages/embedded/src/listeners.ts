/** Listeners that each receive every item once and in order, whatever the other listeners do. */
export type Listeners<Item> = {
  /** Calls the listener for each item sent from now on. Call the result to stop. */
  add(listener: (item: Item) => void): () => void;
  /** An item sent by a listener is delivered after the current one has reached all listeners. */
  send(items: readonly Item[]): void;
};

type Subscriber<Item> = { readonly listener: (item: Item) => void; active: boolean };

export function createListeners<Item>(onError: (error: unknown) => void): Listeners<Item> {
  /** Replaced, never mutated, so that each item keeps the listeners present when it was sent. */
  let subscribers: readonly Subscriber<Item>[] = [];
  let pending: { readonly item: Item; readonly recipients: readonly Subscriber<Item>[] }[] = [];
  let sending = false;

  const sendTo = (item: Item, subscriber: Subscriber<Item>): void => {
    if (!subscriber.active) return;
    try {
      subscriber.listener(item);
    } catch (error) {
      onError(error);
    }
  };

  return {
    add(listener) {
      const subscriber: Subscriber<Item> = { listener, active: true };
      subscribers = [...subscribers, subscriber];
      return () => {
        subscriber.active = false;
        subscribers = subscribers.filter((other) => other !== subscriber);
      };
    },
    send(items) {
      for (const item of items) pending.push({ item, recipients: subscribers });
      if (sending) return;
      sending = true;
      while (pending.length > 0) {
        const batch = pending;
        pending = [];
        for (const { item, recipients } of batch)
          for (const subscriber of recipients) sendTo(item, subscriber);
      }
      sending = false;
    },
  };
}
