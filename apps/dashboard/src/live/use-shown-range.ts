import { useEffect, useState } from 'react';

/** A part of a tall element, in pixels from its top. */
export type ShownRange = Readonly<{ top: number; bottom: number }>;

const EVERYTHING: ShownRange = { top: 0, bottom: Number.POSITIVE_INFINITY };
/** Drawn above and below the visible part, so that scrolling and arrow keys find what comes next. */
const AROUND = 200;
/** Scrolling by less than this redraws nothing. */
const STEP = 200;
const PHONE = '(max-width: 760px)';

/**
 * The visible part of a tall element in its scrolling parent, plus a margin; all of it on a phone, where lanes are
 * cards.
 *
 * @param scrolledIn selector of the scrolling parent.
 */
export function useShownRange(element: HTMLElement | null, scrolledIn: string): ShownRange {
  const [range, setRange] = useState<ShownRange>({ top: 0, bottom: innerHeight + AROUND });
  useEffect(() => {
    const scroller = element?.closest<HTMLElement>(scrolledIn);
    if (element === null || scroller === null || scroller === undefined) return;
    const badge = (): void => {
      const next = rangeOf(element, scroller);
      setRange((before) => (before.top === next.top && before.bottom === next.bottom ? before : next));
    };
    badge();
    scroller.addEventListener('scroll', badge, { passive: true });
    const sizes = new ResizeObserver(badge);
    sizes.observe(scroller);
    return () => {
      scroller.removeEventListener('scroll', badge);
      sizes.disconnect();
    };
  }, [element, scrolledIn]);
  return range;
}

function rangeOf(element: HTMLElement, scroller: HTMLElement): ShownRange {
  if (matchMedia(PHONE).matches) return EVERYTHING;
  const top = scroller.getBoundingClientRect().top - element.getBoundingClientRect().top;
  const first = Math.floor((top - AROUND) / STEP) * STEP;
  const last = Math.ceil((top + scroller.clientHeight + AROUND) / STEP) * STEP;
  return { top: first, bottom: last };
}

/** Whether something between these two heights is visible. */
export function isShown(
  { top, bottom }: ShownRange,
  { from, to }: Readonly<{ from: number; to: number }>,
): boolean {
  return to >= top && from <= bottom;
}
