import { useSyncExternalStore } from 'react';

export const PAGES = ['live', 'approvals', 'leases', 'history', 'sessions', 'analytics', 'policy'] as const;
export type Page = (typeof PAGES)[number];

/** Where the reader is. It stands behind the `#`, so that a reload needs nothing of the server. */
export type Route = Readonly<{ page: Page; id: string | null; query: URLSearchParams }>;

/** `#/history/cmd_1?outcome=failed`; what names no page is Live. */
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
}

function subscribe(listener: () => void): () => void {
  addEventListener('hashchange', listener);
  return () => removeEventListener('hashchange', listener);
}

let last: Readonly<{ hash: string; route: Route }> = { hash: '', route: routeOf('') };

function current(): Route {
  if (last.hash !== location.hash) last = { hash: location.hash, route: routeOf(location.hash) };
  return last.route;
}

export function useRoute(): Route {
  return useSyncExternalStore(subscribe, current);
}
