import { useQueryClient } from '@tanstack/react-query';
import { Suspense, useEffect, useRef, useState } from 'react';
import { Announcer } from './frame/announcer.tsx';
import { Band } from './frame/band.tsx';
import { FindOrRun } from './frame/find-or-run.tsx';
import { KeyHelp } from './frame/key-help.tsx';
import { NotLetIn, NotReached } from './frame/not-let-in.tsx';
import { Loading } from './parts/loading.tsx';
import { PageGuard } from './frame/page-guard.tsx';
import { pageName } from './frame/page-list.ts';
import { fetchPages, PAGE_BODIES } from './frame/pages.ts';
import { type Page, useRoute } from './frame/route.ts';
import { SideBar, Tabs } from './frame/side-bar.tsx';
import { TopBar } from './frame/top-bar.tsx';
import { usePageKeys } from './frame/use-page-keys.ts';
import { type WorkspaceFollower, followWorkspace } from './workspace/follow-workspace.ts';
import { panelStore, usePanel } from './workspace/panel-store.ts';
import styles from './app.module.css';

/** The frame with one page in it. */
export function App() {
  const link = usePanel((state) => state.link);
  const following = useFollowing();
  const { page } = useRoute();
  const [isFinding, setFinding] = useState(false);
  const [isHelping, setHelping] = useState(false);
  useAskingAgain(link.kind === 'live');
  usePageKeys({ find: () => setFinding(true), help: () => setHelping(true) });

  if (link.kind === 'refused') return <NotLetIn refusal={link.refusal} />;
  return (
    <>
      <a
        className={styles['skip']}
        href="#main"
        onClick={(event) => {
          event.preventDefault();
          document.getElementById('main')?.focus();
        }}
      >
        Skip to {pageName(page)}
      </a>
      <div className={styles['app']} data-link={link.kind}>
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
  const following = useRef<WorkspaceFollower | null>(null);
  useEffect(() => {
    if (panelStore.get().link.kind === 'refused') return;
    following.current = followWorkspace(panelStore);
    return () => following.current?.stop();
  }, []);
  return following;
}

/** Retries requests that failed while the server was away. */
function useAskingAgain(isLive: boolean): void {
  const queries = useQueryClient();
  useEffect(() => {
    if (isLive) void queries.refetchQueries({ predicate: ({ state }) => state.status === 'error' });
  }, [isLive, queries]);
}

function PageBody({ page, onTryNow }: Readonly<{ page: Page; onTryNow: () => void }>) {
  const has = usePanel(({ panel }) => panel !== null);
  const link = usePanel((state) => state.link);
  const Body = PAGE_BODIES[page];
  useEffect(() => {
    if (has) void fetchPages();
  }, [has]);
  useEffect(() => {
    document.querySelector(`main[data-page=${page}]`)?.scrollTo(0, 0);
  }, [page]);
  return (
    <main className={styles['main']} id="main" tabIndex={-1} data-page={page}>
      {has ? (
        <PageGuard key={page}>
          <Suspense fallback={<Loading />}>
            <Body />
          </Suspense>
        </PageGuard>
      ) : link.kind === 'failed' ? (
        <NotReached refusal={link.refusal} onRetry={onTryNow} />
      ) : (
        <Loading />
      )}
    </main>
  );
}
