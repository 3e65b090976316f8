import { useEffect, useState } from 'react';

/** What is typed is sent to be judged when it has stood still for so long. */
const SETTLED_AFTER_MS = 300;

/** The text when it has stood still for a moment. */
export function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), SETTLED_AFTER_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}
