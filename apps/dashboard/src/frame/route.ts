import { useSyncExternalStore } from 'react';

export const PAGES = [
  'live',
  'approvals',
  'leases',
  'history',
  'review',
  'sessions',
  'analytics',
  'policy',
] as const;
export type Page = (typeof PAGES)[number];

/** The reader's location. It is the part after the `#`, so that a reload needs nothing from the server. */
export type Route = Readonly<{ page: Page; id: string | null; query: URLSearchParams }>;

/** `#/history/cmd_1?outcome=failed`; an unknown page is Live. */
export function routeOf(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?');
  const [first = '', id = ''] = path.split('/');
  const page = PAGES.find((name) => name === first) ?? 'live';
  return { page, id: id === '' ? null : decodeURIComponent(id), query: new URLSearchParams(query) };
}

export function linkTo(page: Page, id?: string | null, query?: URLSearchParams): string {
  const path = id === undefined || id === null ? `#/${page}` : `#/${page}/${encodeURIComponent(id)}`;
  const asked = query?.toString() ?? '';
  return asked === '' ? path : `${path}?${asked}`;
}

export function goTo(page: Page, id?: string | null, query?: URLSearchParams): void {
  location.hash = linkTo(page, id, query);
  badge();
}

/**
 * The route by which all parts of the page are drawn. It changes in one step for all of them: on the browser's event,
 * or with `goTo`. Otherwise a part redrawn between a new address and its event would be drawn for the next page, and
 * could act on it.
 */
let shown: Readonly<{ hash: string; route: Route }> | null = null;
const listeners = new Set<() => void>();

function badge(): void {
  if (shown?.hash === location.hash) return;
  shown = { hash: location.hash, route: routeOf(location.hash) };
  for (const listener of listeners) listener();
}

/** Calls back when the route changes. */
export function onRoute(listener: () => void): () => void {
  if (listeners.size === 0) addEventListener('hashchange', badge);
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) removeEventListener('hashchange', badge);
  };
}

/** The current route, the same for all parts. */
export function currentRoute(): Route {
  shown ??= { hash: location.hash, route: routeOf(location.hash) };
  return shown.route;
}

export function useRoute(): Route {
  return useSyncExternalStore(onRoute, currentRoute);
}
