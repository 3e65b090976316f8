import { useEffect, useState } from 'react';
import { useWorkspace } from '../workspace/panel-store.ts';

/**
 * New rows are added after this long without another, in milliseconds; under a steady stream they stay behind the
 * button.
 */
const CALM_MS = 600;

/** Commands that ended since the list was fetched. */
export type NewRows = Readonly<{
  /** Changes with each fetch of the list. */
  seen: number;
  /** How many ended since. */
  newer: number;
  /** Fetches the list again. */
  take: () => void;
}>;

/** Adds new rows by themselves while nobody is reading the list: nothing moves under a pointer or a focus. */
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
