import { useEffect, useRef } from 'react';
import { useKeys } from './keys.ts';
import { PAGE_LIST } from './page-list.ts';
import { goTo } from './route.ts';

const CHORD_MS = 1500;

/** `g` and a letter open a page, `?` lists the keys, `⌘K` or `Ctrl+K` finds. */
export function usePageKeys({ find, help }: Readonly<{ find: () => void; help: () => void }>): void {
  const chordUntil = useRef(0);
  useKeys({
    g: () => {
      chordUntil.current = performance.now() + CHORD_MS;
    },
    '?': help,
  });
  useEffect(() => {
    function pressed(event: KeyboardEvent): void {
      if ((event.metaKey || event.ctrlKey) && event.key === 'k') {
        event.preventDefault();
        find();
        return;
      }
      if (performance.now() > chordUntil.current) return;
      const entry = PAGE_LIST.find(({ key }) => key === event.key);
      if (entry === undefined) return;
      chordUntil.current = 0;
      event.preventDefault();
      event.stopPropagation();
      goTo(entry.page);
    }
    // Before the keys of pages: `g a` must not approve.
    addEventListener('keydown', pressed, { capture: true });
    return () => removeEventListener('keydown', pressed, { capture: true });
  }, [find]);
}
