import type { ApprovalDesk, Coordinator } from '@signalbox/coordinator';
import type { Clock, CommandId, EventLog, Logger } from '@signalbox/core';
import { BENCH_TOOLS } from '../house/bench-tools.ts';
import type { Plan } from '../plan/create-plan.ts';

/** Who answers the questions of a bench; shown as such. */
const BENCH_PERSON = { name: 'bench', channel: 'demo' } as const;

/**
 * Answers every question as it is planned, at once.
 *
 * @returns How to make it stop.
 */
export function startBenchPerson(options: {
  readonly plan: Plan;
  readonly events: Pick<EventLog, 'subscribe'>;
  readonly approvals: Pick<ApprovalDesk, 'answer'>;
  /** Where commands fail or are killed on purpose, which makes a house careful; null elsewhere, so that it shows. */
  readonly setMode: Coordinator['setMode'] | null;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'error'>;
}): () => void {
  const { plan, events, approvals, setMode, clock, logger } = options;
  return events.subscribe((event) => {
    if (event.type === 'mode_changed' && event.to !== 'NORMAL') return loosen();
    if (event.type !== 'approval_requested') return;
    const key = keyOfTitle(event.title);
    const isGranted = key !== null && plan.command(key).person !== 'refuses';
    // Events are told inside the step that they tell of: who answers waits until it is over.
    clock.timer(0, () => {
      answer(event.commandId, event.callHash, isGranted ? 'approve' : 'deny').catch((error: unknown) => {
        logger.error({ commandId: event.commandId, error }, 'question of the bench not answered');
      });
    });
  });

  /** Many commands that failed or were lost make a house careful (mode DEGRADED); only a person loosens it again. */
  function loosen(): void {
    setMode?.('NORMAL', BENCH_PERSON.name, 'the bench makes commands fail on purpose').catch(
      (error: unknown) => {
        logger.error({ error }, 'mode not set by the bench');
      },
    );
  }

  async function answer(
    id: CommandId,
    callHash: Parameters<ApprovalDesk['answer']>[3],
    kind: 'approve' | 'deny',
  ): Promise<void> {
    await approvals.answer(id, { kind }, BENCH_PERSON, callHash);
  }
}

const TOOLS: ReadonlySet<string> = new Set(Object.values(BENCH_TOOLS));

/** `bench_asked 17 files/3.txt` → 17; null for a question that no bench planned, which is refused. */
function keyOfTitle(title: string): number | null {
  const [tool, key = ''] = title.split(' ');
  return TOOLS.has(tool ?? '') && /^\d+$/.test(key) ? Number(key) : null;
}
