import { useEffect, useLayoutEffect, useRef } from 'react';

const OFF = 'signalbox.single-keys';

/** Name of the find key on the reader's platform. */
export const FIND_KEY = navigator.userAgent.includes('Mac') ? '⌘K' : 'Ctrl+K';

export function singleKeysAreOn(): boolean {
  return localStorage.getItem(OFF) !== 'off';
}

export function setSingleKeys(on: boolean): void {
  if (on) localStorage.removeItem(OFF);
  else localStorage.setItem(OFF, 'off');
}

/** Single keys, by the character they type; off in fields, in dialogs and with modifiers. */
export function useKeys(keys: Readonly<Record<string, () => void>>): void {
  const latest = useRef(keys);
  useLayoutEffect(() => {
    latest.current = keys;
  });
  useEffect(() => {
    function pressed(event: KeyboardEvent): void {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
      if (event.key !== 'Escape' && (isTyping(event.target) || !singleKeysAreOn())) return;
      if (document.querySelector('dialog[open]') !== null) return;
      const act = latest.current[event.key];
      if (act === undefined) return;
      event.preventDefault();
      act();
    }
    addEventListener('keydown', pressed);
    return () => removeEventListener('keydown', pressed);
  }, []);
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable]') !== null
  );
}
