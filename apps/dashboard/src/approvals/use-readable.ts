import { useEffect, useState } from 'react';

/** Longer than between the two presses of a double click, shorter than anybody reads a call. */
const READABLE_AFTER_MS = 700;

/**
 * Whether a card has stood there long enough to have been seen. The next one comes by itself where the last one stood: the
 * second of two quick presses was meant for that one.
 */
export function useReadable(): boolean {
  const [isReadable, setReadable] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setReadable(true), READABLE_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  return isReadable;
}
