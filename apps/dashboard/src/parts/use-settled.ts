import { useEffect, useState } from 'react';

/** Typed text is sent for judging once it has not changed for this long. */
const SETTLED_AFTER_MS = 300;

/** The text once it has not changed for a moment. */
export function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), SETTLED_AFTER_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}
