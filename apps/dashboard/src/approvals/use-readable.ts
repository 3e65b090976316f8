import { useEffect, useState } from 'react';

/** Longer than between the two presses of a double click, shorter than it takes to read a call. */
const READABLE_AFTER_MS = 700;

/**
 * Whether a card was visible long enough to have been seen. The next card replaces the decided one by itself: the
 * second of two quick presses was meant for the first.
 */
export function useReadable(): boolean {
  const [isReadable, setReadable] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setReadable(true), READABLE_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  return isReadable;
}
