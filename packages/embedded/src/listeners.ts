/** Those who hear things, each thing once and in order, whatever the others do. */
export type Listeners<Thing> = {
  /** Hears what is told from now on. Call the answer to stop. */
  add(listener: (thing: Thing) => void): () => void;
  /** A thing told by a listener waits until the present one has reached all. */
  tell(things: readonly Thing[]): void;
};

type Ear<Thing> = { readonly listener: (thing: Thing) => void; listening: boolean };

export function createListeners<Thing>(onError: (error: unknown) => void): Listeners<Thing> {
  /** Replaced, never changed, so that each thing remembers who was there when it was told. */
  let ears: readonly Ear<Thing>[] = [];
  let pending: { readonly thing: Thing; readonly heardBy: readonly Ear<Thing>[] }[] = [];
  let telling = false;

  const tellOne = (thing: Thing, ear: Ear<Thing>): void => {
    if (!ear.listening) return;
    try {
      ear.listener(thing);
    } catch (error) {
      onError(error);
    }
  };

  return {
    add(listener) {
      const ear: Ear<Thing> = { listener, listening: true };
      ears = [...ears, ear];
      return () => {
        ear.listening = false;
        ears = ears.filter((other) => other !== ear);
      };
    },
    tell(things) {
      for (const thing of things) pending.push({ thing, heardBy: ears });
      if (telling) return;
      telling = true;
      while (pending.length > 0) {
        const batch = pending;
        pending = [];
        for (const { thing, heardBy } of batch) for (const ear of heardBy) tellOne(thing, ear);
      }
      telling = false;
    },
  };
}
