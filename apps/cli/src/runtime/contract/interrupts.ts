/** Ctrl-C and SIGTERM, counted. */
export type Interrupts = Readonly<{
  /** Calls back with 1 at the first, 2 at the second …; the returned function stops listening. */
  listen(listener: (count: number, signal: 'SIGINT' | 'SIGTERM') => void): () => void;
  /** Acts as if Ctrl-C was pressed: in raw mode the terminal sends a key instead of a signal. */
  raise(): void;
}>;

type Source = Readonly<{
  on(signal: 'SIGINT' | 'SIGTERM', listener: () => void): unknown;
}>;

/** Without a listener, the first interrupt calls `leave` at once. */
export function createInterrupts(source: Source, leave: (exitCode: number) => void): Interrupts {
  const listeners = new Set<(count: number, signal: 'SIGINT' | 'SIGTERM') => void>();
  let count = 0;
  const onSignal = (signal: 'SIGINT' | 'SIGTERM') => (): void => {
    count += 1;
    if (listeners.size === 0) leave(signal === 'SIGINT' ? 130 : 143);
    for (const listener of listeners) listener(count, signal);
  };
  source.on('SIGINT', onSignal('SIGINT'));
  source.on('SIGTERM', onSignal('SIGTERM'));
  return {
    listen(listener) {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
    raise: onSignal('SIGINT'),
  };
}
