import { useCallback, useEffect, useRef, useState } from 'react';
import type { WaitingApproval } from '@signalbox/api';

/** How long nothing below a decision moves. */
const SETTLES_MS = 2000;

type Settling = Readonly<{ one: WaitingApproval; word: string }>;

/** Identifies the approval: the same command may need approval again. */
export function keyOf({ command: { approval, id } }: WaitingApproval): string {
  return `${id} ${approval?.callHash ?? ''}`;
}

/** Decisions made here: `gone` from a list fetched earlier, and `settling` in their place for a moment. */
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
