import { shortId } from '@signalbox/core';
import type { RenderContext } from './render-context.ts';

const SHORTEST = 4;

/**
 * Short ids of one screen: their first 4 letters, one more for all while two are equal; full ids if the width is not
 * bounded.
 */
export function idLabels(
  ids: Iterable<string>,
  render: Pick<RenderContext, 'width'>,
): (id: string) => string {
  if (render.width === Infinity) return (id) => id;
  const all = [...new Set(ids)];
  let length = SHORTEST;
  while (length < 12 && new Set(all.map((id) => shortId(id, length))).size < all.length) length += 1;
  return (id) => shortId(id, length);
}

/** A single id, without others next to it. */
export function idLabel(id: string, render: Pick<RenderContext, 'width'>): string {
  return idLabels([id], render)(id);
}
