import { callSubject } from '@signalbox/core/call-subject';
import { useEffect, useMemo, useRef, useState } from 'react';
import { refusalFrom } from '../api/client.ts';
import { useApprovals } from '../api/queries.ts';
import type { WaitingApproval } from '@signalbox/api';
import { useKeys } from '../frame/keys.ts';
import { goTo, useRoute } from '../frame/route.ts';
import { useWorkspace } from '../workspace/panel-store.ts';
import { EmptyLane } from '../parts/empty-lane.tsx';
import { Loading } from '../parts/loading.tsx';
import { RefusalNote } from '../parts/refusal-note.tsx';
import { AfterDecision, type DecisionNotice } from './after-decision.tsx';
import { ApprovalCard } from './approval-card.tsx';
import { type ApprovalGroup, groupsOf } from './approval-groups.ts';
import { ApprovalsList } from './approvals-list.tsx';
import { DecideBar } from './decide-bar.tsx';
import { DecidedBar } from './decided-bar.tsx';
import { QuestionCard } from '../questions/question-card.tsx';
import { keyOf, useSettling } from './use-settling.ts';
import styles from './approvals-page.module.css';
import cardStyles from './approval-card.module.css';

/** An inbox: the open card never changes by itself, and new approvals wait behind a button. */
export function ApprovalsPage() {
  const questions = useWorkspace((panel) => panel.questions);
  const query = useApprovals(questions);
  const { id: asked } = useRoute();
  const { gone, settling, settle } = useSettling();
  // Approvals decided here keep their place for a moment, so that nothing moves under the pointer.
  const all = useMemo(() => {
    const open = (query.data ?? []).filter((one) => !gone.has(keyOf(one)));
    const ids = idsOf(open);
    return [
      ...open,
      ...[...settling.values()].map(({ one }) => one).filter(({ command }) => !ids.has(command.id)),
    ];
  }, [query.data, gone, settling]);
  const [known, setKnown] = useState<ReadonlySet<string> | null>(null);
  const [kept, setKept] = useState<WaitingApproval | null>(null);
  const [notice, setNotice] = useState<DecisionNotice>({ text: '', commandId: null });

  const groups = useMemo(
    () => groupsOf(known === null ? all : all.filter(({ command }) => known.has(command.id))),
    [all, known],
  );
  const listed = groups.flatMap(({ members }) => members);
  const shown = listed.filter((one) => !settling.has(keyOf(one)));
  const fresh = all.length - listed.length;
  const open = all.find(({ command }) => command.id === asked) ?? (kept?.command.id === asked ? kept : null);
  const openId = open?.command.id ?? null;

  // The first response, and everything that arrives while no card is open, is shown at once.
  if (query.data !== undefined && (known === null || (openId === null && fresh > 0))) setKnown(idsOf(all));
  // The open card stays when its approval is decided elsewhere.
  if (open !== null && open !== kept) setKept(open);
  const first = shown[0]?.command.id;
  const { isFetching, refetch } = query;
  const lookedFor = useRef<string | null>(null);
  useEffect(() => {
    if (openId !== null || isFetching) return;
    if (asked !== null && lookedFor.current !== asked) {
      // The approval may be newer than the list: another card must not take its place.
      lookedFor.current = asked;
      void refetch();
    } else if (first !== undefined) {
      goTo('approvals', first);
    }
  }, [openId, first, asked, isFetching, refetch]);

  function step(by: number): void {
    const at = shown.findIndex(({ command }) => command.id === openId);
    const next = shown[Math.max(0, Math.min(shown.length - 1, at + by))];
    if (next !== undefined) goTo('approvals', next.command.id);
  }
  useKeys({ j: () => step(1), k: () => step(-1) });

  function decided(text: string): void {
    setNotice({ text, commandId: text === '' ? null : openId });
    const next = shown.find(({ command }) => command.id !== openId);
    setKept(null);
    if (open !== null) settle([open], text.split(/[ :]/)[0] ?? '');
    goTo('approvals', next?.command.id);
    // The user has just acted: the focus moves to what comes next.
    requestAnimationFrame(() =>
      requestAnimationFrame(() => document.querySelector<HTMLElement>('#lede, [data-empty] h2')?.focus()),
    );
  }

  function refused({ members, provider }: ApprovalGroup): void {
    setNotice({ text: `Denied ${members.length} calls of ${provider}`, commandId: null });
    settle(members, 'Denied');
    if (members.some(({ command }) => command.id === openId)) goTo('approvals');
  }

  return (
    <>
      <ApprovalsList
        isKnown={query.data !== undefined}
        groups={groups}
        settling={new Map([...settling.values()].map(({ one, word }) => [one.command.id, word]))}
        openId={openId}
        fresh={fresh}
        onShowFresh={() => setKnown(idsOf(all))}
        onStep={step}
        onRefused={refused}
      />
      {open === null ? (
        <Nothing query={query} isLooking={asked !== null && isFetching} />
      ) : (
        <OpenCard
          key={keyOf(open)}
          open={open}
          onDecided={decided}
          onCounted={(text) => setNotice({ text, commandId: null })}
        />
      )}
      <AfterDecision notice={notice} />
    </>
  );
}

function idsOf(approvals: readonly WaitingApproval[]): ReadonlySet<string> {
  return new Set(approvals.map(({ command }) => command.id));
}

function OpenCard({
  open,
  onDecided,
  onCounted,
}: Readonly<{
  open: WaitingApproval;
  onDecided: (notice: string) => void;
  onCounted: (notice: string) => void;
}>) {
  const subject = useMemo(() => callSubject(open.command), [open]);
  const state = useWorkspace(({ commands }) => commands.get(open.command.id)?.state ?? 'awaiting_approval');
  const isOpen = state === 'awaiting_approval';
  const question = open.command.approval?.question;
  if (question !== undefined) {
    return (
      <article className={styles['approval']} aria-labelledby="lede">
        <QuestionCard
          waiting={open}
          question={question}
          isOpen={isOpen}
          onAnswered={onDecided}
          onExtended={onCounted}
        >
          <DecidedBar id={open.command.id} state={state} onNext={() => onDecided('')} />
        </QuestionCard>
      </article>
    );
  }
  return (
    <article className={styles['approval']} aria-labelledby="lede">
      <ApprovalCard waiting={open} subject={subject} />
      {isOpen ? (
        <DecideBar waiting={open} subject={subject} onDecided={onDecided} onCounted={onCounted} />
      ) : (
        <DecidedBar id={open.command.id} state={state} onNext={() => onDecided('')} />
      )}
    </article>
  );
}

function Nothing({
  query,
  isLooking,
}: Readonly<{ query: ReturnType<typeof useApprovals>; isLooking: boolean }>) {
  return (
    <div className={styles['approval']} data-empty>
      {query.isError ? (
        <div className={cardStyles['sheet']}>
          <RefusalNote refusal={refusalFrom(query.error)} onRetry={() => void query.refetch()} />
        </div>
      ) : query.data === undefined || isLooking ? (
        <Loading />
      ) : (
        <EmptyLane title="No approvals pending">
          <p>Calls that need approval appear here with their effects and reasons, and questions of models</p>
        </EmptyLane>
      )}
    </div>
  );
}
