import { useCallback, useEffect, useRef, useState } from 'react';
import type { WaitingApproval } from '@signalbox/api';

/** Nothing below a decision moves for so long. */
const SETTLES_MS = 2000;

type Settling = Readonly<{ one: WaitingApproval; word: string }>;

/** Of the approval: the same command that needs approval again is another one. */
export function keyOf({ command: { approval, id } }: WaitingApproval): string {
  return `${id} ${approval?.callHash ?? ''}`;
}

/** What was decided here: `gone` from the list that was asked for before, and `settling` in its place for a moment. */
export function useSettling() {
  const [gone, setGone] = useState<ReadonlySet<string>>(new Set());
  const [settling, setSettling] = useState<ReadonlyMap<string, Settling>>(new Map());
  const timers = useRef<number[]>([]);
  useEffect(() => () => timers.current.forEach((timer) => clearTimeout(timer)), []);
  const settle = useCallback((decided: readonly WaitingApproval[], word: string): void => {
    const keys = decided.map(keyOf);
    setGone((before) => new Set([...before, ...keys]));
    if (word === '') return;
    setSettling(
      (before) => new Map([...before, ...decided.map((one) => [keyOf(one), { one, word }] as const)]),
    );
    const timer = window.setTimeout(() => {
      setSettling((before) => new Map([...before].filter(([key]) => !keys.includes(key))));
    }, SETTLES_MS);
    timers.current.push(timer);
  }, []);
  return { gone, settling, settle };
}
