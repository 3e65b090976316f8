import type { CallHash, Clock, CommandId, CommandRecord, EventLog, Logger } from '@signalbox/core';
import { BENCH_TOOLS } from '../runtime/bench-tools.ts';
import type { Plan } from '../plan/create-plan.ts';

/** The approver of a bench, as recorded in the audit log. */
const BENCH_PERSON = { name: 'bench', channel: 'demo' } as const;

/** The pending approvals of a coordinator, in this process or another one. */
type BenchApprovals = Readonly<{
  pending(): Promise<readonly Pick<CommandRecord, 'id' | 'title' | 'approval'>[]>;
  answer(
    id: CommandId,
    answer: Readonly<{ kind: 'approve' | 'deny' }>,
    given: Readonly<{ by: typeof BENCH_PERSON; expect: CallHash }>,
  ): Promise<unknown>;
}>;

/** Interval between searches for approvals whose answer was lost with the process that led their command. */
const POLL_AGAIN_MS = 500;

/**
 * Answers every approval as planned, at once.
 *
 * @returns A function that stops it.
 */
export function startBenchPerson(options: {
  readonly plan: Plan;
  readonly events: Pick<EventLog, 'subscribe'>;
  readonly approvals: BenchApprovals;
  /**
   * For scenarios that make commands fail or kills processes, which changes the mode; null elsewhere, where a change is
   * a fault.
   */
  readonly setMode:
    | ((mode: 'NORMAL', why: Readonly<{ by: string; reason: string }>) => Promise<unknown>)
    | null;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'error'>;
}): () => void {
  const { plan, events, approvals, setMode, clock, logger } = options;
  let stopPolling = (): void => undefined;
  let isDismissed = false;
  if (setMode !== null) pollAgain();
  const unsubscribe = events.subscribe((event) => {
    if (event.type === 'mode_changed' && event.to !== 'NORMAL') return setNormal();
    if (event.type !== 'approval_requested') return;
    // Listeners run inside the step that emits the event, so the answer follows it.
    clock.timer(0, () => void answer(event.commandId, event.title, { callHash: event.callHash }));
  });
  return () => {
    isDismissed = true;
    unsubscribe();
    stopPolling();
  };

  function pollAgain(): void {
    if (isDismissed) return;
    stopPolling = clock.timer(POLL_AGAIN_MS, () => void answerAll().finally(pollAgain));
  }

  async function answerAll(): Promise<void> {
    const waiting = await approvals.pending().catch(() => []);
    for (const { id, title, approval } of waiting) {
      if (approval?.status === 'pending') await answer(id, title, { callHash: approval.callHash });
    }
  }

  /** Many failed or lost commands set the mode to DEGRADED; only a person resets it. */
  function setNormal(): void {
    setMode?.('NORMAL', { by: BENCH_PERSON.name, reason: 'the bench makes commands fail on purpose' }).catch(
      (error: unknown) => {
        logger.error({ error }, 'mode not set by the bench');
      },
    );
  }

  async function answer(
    id: CommandId,
    title: string,
    { callHash }: Readonly<{ callHash: CallHash }>,
  ): Promise<void> {
    const key = keyOfTitle(title);
    const isGranted = key !== null && plan.command(key).person !== 'refuses';
    try {
      await approvals.answer(
        id,
        { kind: isGranted ? 'approve' : 'deny' },
        { by: BENCH_PERSON, expect: callHash },
      );
    } catch (error) {
      logger.error({ commandId: id, error }, 'approval of the bench not answered');
    }
  }
}

const TOOLS: ReadonlySet<string> = new Set(Object.values(BENCH_TOOLS));

/** `bench_asked 17 files/3.txt` → 17; null for an approval that no bench planned, which is denied. */
function keyOfTitle(title: string): number | null {
  const [tool, key = ''] = title.split(' ');
  return TOOLS.has(tool ?? '') && /^\d+$/.test(key) ? Number(key) : null;
}
