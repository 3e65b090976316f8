import { type RefObject, useEffect, useRef } from 'react';
import type uPlot from 'uplot';

export const PLOT_HEIGHT = 200;

/**
 * Draws into an element, again when `draw` or the theme changes, and follows its width.
 *
 * @param draw must keep its identity as long as its result is the same.
 */
export function usePlot(draw: (element: HTMLElement) => uPlot): RefObject<HTMLDivElement | null> {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    let plot = draw(element);
    const sizes = new ResizeObserver(() => {
      plot.setSize({ width: element.clientWidth, height: PLOT_HEIGHT });
    });
    sizes.observe(element);
    // A canvas does not resolve custom properties: its colours are read again when the theme changes.
    const themes = new MutationObserver(() => {
      plot.destroy();
      plot = draw(element);
    });
    themes.observe(document.documentElement, { attributeFilter: ['data-theme'] });
    return () => {
      sizes.disconnect();
      themes.disconnect();
      plot.destroy();
    };
  }, [draw]);
  return box;
}

/** A CSS colour of the page, by its name. */
export function colourOf(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(`--color-${name}`).trim();
}

export function axisOptions(): Pick<uPlot.Axis, 'stroke' | 'font' | 'ticks'> {
  return { stroke: colourOf('ink-3'), font: '11px "Inter Variable", sans-serif', ticks: { show: false } };
}
