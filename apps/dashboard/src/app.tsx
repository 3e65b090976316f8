import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { ApprovalsPage } from './approvals/approvals-page.tsx';
import { Announcer } from './frame/announcer.tsx';
import { Band } from './frame/band.tsx';
import { FindOrRun } from './frame/find-or-run.tsx';
import { KeyHelp } from './frame/key-help.tsx';
import { NotLetIn, NotReached } from './frame/not-let-in.tsx';
import { Loading } from './parts/loading.tsx';
import { pageName } from './frame/page-list.ts';
import { type Page, useRoute } from './frame/route.ts';
import { SideBar, Tabs } from './frame/side-bar.tsx';
import { TopBar } from './frame/top-bar.tsx';
import { usePageKeys } from './frame/use-page-keys.ts';
import { type Following, followHouse } from './house/follow-house.ts';
import { panelStore, usePanel } from './house/panel-store.ts';
import { LivePage } from './live/live-page.tsx';

const LeasesPage = lazy(async () => ({ default: (await import('./leases/leases-page.tsx')).LeasesPage }));
const HistoryPage = lazy(async () => ({ default: (await import('./history/history-page.tsx')).HistoryPage }));
const SessionsPage = lazy(async () => ({
  default: (await import('./sessions/sessions-page.tsx')).SessionsPage,
}));
const AnalyticsPage = lazy(async () => ({
  default: (await import('./analytics/analytics-page.tsx')).AnalyticsPage,
}));
const PolicyPage = lazy(async () => ({ default: (await import('./policy/policy-page.tsx')).PolicyPage }));

const PAGE_BODIES = {
  live: LivePage,
  approvals: ApprovalsPage,
  leases: LeasesPage,
  history: HistoryPage,
  sessions: SessionsPage,
  analytics: AnalyticsPage,
  policy: PolicyPage,
} as const;

/** The frame, and one page in it. */
export function App() {
  const link = usePanel((state) => state.link);
  const following = useFollowing();
  const { page } = useRoute();
  const [isFinding, setFinding] = useState(false);
  const [isHelping, setHelping] = useState(false);
  usePageKeys({ find: () => setFinding(true), help: () => setHelping(true) });

  if (link.kind === 'refused') return <NotLetIn refusal={link.refusal} />;
  return (
    <>
      <a
        className="skip"
        href="#main"
        onClick={(event) => {
          event.preventDefault();
          document.getElementById('main')?.focus();
        }}
      >
        Skip to {pageName(page)}
      </a>
      <div className="app" data-link={link.kind}>
        <TopBar onFind={() => setFinding(true)} />
        <Band onTryNow={() => following.current?.tryNow()} />
        <SideBar page={page} />
        <PageBody page={page} onTryNow={() => following.current?.tryNow()} />
        <Tabs page={page} />
      </div>
      <Announcer />
      <FindOrRun isOpen={isFinding} onClose={() => setFinding(false)} />
      <KeyHelp isOpen={isHelping} onClose={() => setHelping(false)} />
    </>
  );
}

function useFollowing() {
  const following = useRef<Following | null>(null);
  useEffect(() => {
    if (panelStore.get().link.kind === 'refused') return;
    following.current = followHouse(panelStore);
    return () => following.current?.stop();
  }, []);
  return following;
}

function PageBody({ page, onTryNow }: Readonly<{ page: Page; onTryNow: () => void }>) {
  const has = usePanel(({ panel }) => panel !== null);
  const link = usePanel((state) => state.link);
  const Body = PAGE_BODIES[page];
  useEffect(() => {
    document.querySelector(`main[data-page=${page}]`)?.scrollTo(0, 0);
  }, [page]);
  return (
    <main className={`main ${page}`} id="main" tabIndex={-1} data-page={page}>
      {has ? (
        <Suspense fallback={<Loading />}>
          <Body />
        </Suspense>
      ) : link.kind === 'failed' ? (
        <NotReached refusal={link.refusal} onRetry={onTryNow} />
      ) : (
        <Loading />
      )}
    </main>
  );
}
