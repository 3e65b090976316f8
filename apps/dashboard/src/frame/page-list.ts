import type { IconName } from '../parts/icon.tsx';
import type { Page } from './route.ts';

export type PageEntry = Readonly<{ page: Page; name: string; short: string; icon: IconName; key: string }>;

/** In the order of the side bar; `key` follows `g`. */
export const PAGE_LIST: readonly PageEntry[] = [
  { page: 'live', name: 'Live', short: 'Live', icon: 'live', key: 'l' },
  { page: 'approvals', name: 'Approvals', short: 'Approvals', icon: 'approve', key: 'a' },
  { page: 'leases', name: 'Queue & leases', short: 'Leases', icon: 'leases', key: 'q' },
  { page: 'history', name: 'History', short: 'History', icon: 'history', key: 'h' },
  { page: 'review', name: 'Review', short: 'Review', icon: 'file', key: 'r' },
  { page: 'sessions', name: 'Sessions', short: 'Sessions', icon: 'sessions', key: 's' },
  { page: 'analytics', name: 'Analytics', short: 'Analytics', icon: 'analytics', key: 'n' },
  { page: 'policy', name: 'Policy', short: 'Policy', icon: 'policy', key: 'p' },
];

export function pageName(page: Page): string {
  return PAGE_LIST.find((entry) => entry.page === page)?.name ?? '';
}
