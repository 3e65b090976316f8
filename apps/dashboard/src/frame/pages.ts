import { type ComponentType, lazy } from 'react';
import { ApprovalsPage } from '../approvals/approvals-page.tsx';
import { LivePage } from '../live/live-page.tsx';
import type { Page } from './route.ts';

/** Not needed by Live: their code is loaded after the first page. */
const LATER = {
  leases: async () => ({ default: (await import('../leases/leases-page.tsx')).LeasesPage }),
  history: async () => ({ default: (await import('../history/history-page.tsx')).HistoryPage }),
  review: async () => ({ default: (await import('../review/review-page.tsx')).ReviewPage }),
  sessions: async () => ({ default: (await import('../sessions/sessions-page.tsx')).SessionsPage }),
  analytics: async () => ({ default: (await import('../analytics/analytics-page.tsx')).AnalyticsPage }),
  policy: async () => ({ default: (await import('../policy/policy-page.tsx')).PolicyPage }),
};

export const PAGE_BODIES: Readonly<Record<Page, ComponentType>> = {
  live: LivePage,
  approvals: ApprovalsPage,
  leases: lazy(LATER.leases),
  history: lazy(LATER.history),
  review: lazy(LATER.review),
  sessions: lazy(LATER.sessions),
  analytics: lazy(LATER.analytics),
  policy: lazy(LATER.policy),
};

/**
 * Loads the code of all pages, so that it is available without the server. Failed loads are retried when a page is
 * opened.
 */
export async function fetchPages(): Promise<void> {
  await Promise.allSettled(Object.values(LATER).map((load) => load()));
}
