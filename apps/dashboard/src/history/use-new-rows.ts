import { useEffect, useState } from 'react';
import { useWorkspace } from '../workspace/panel-store.ts';

/** Nothing ended for so long, in milliseconds: while more keeps coming, it gathers behind its button. */
const CALM_MS = 600;

/** What ended since the list was asked for. */
export type NewRows = Readonly<{
  /** Stands for the moment of which the list is. */
  seen: number;
  /** How many ended since. */
  newer: number;
  /** Asks for the list anew. */
  take: () => void;
}>;

/** New rows come in by themselves while nobody reads the list: nothing moves under a pointer or a focus. */
export function useArrivals(isRead: boolean): NewRows {
  const endings = useWorkspace((panel) => panel.endings);
  const [seen, setSeen] = useState(endings);
  useEffect(() => {
    if (isRead || seen === endings) return undefined;
    const timer = setTimeout(() => setSeen(endings), CALM_MS);
    return () => clearTimeout(timer);
  }, [isRead, seen, endings]);
  return { seen, newer: endings - seen, take: () => setSeen(endings) };
}
