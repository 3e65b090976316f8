import type { CommandRecord } from '@signalbox/core';
import { gatedCallOf } from '../../gates/gated-call.ts';
import type { Request } from '../command-event.ts';
import type { RunnerDependencies } from '../runner-dependencies.ts';
import type { StepPerformers } from './performers.ts';

/**
 * Asks the gates that ask a model, without occupying the command's queue: a cancel must get through meanwhile. The gates
 * of a session's calls are asked at the same time, and answer in the order of the calls.
 */
export function gating(
  { gates }: Pick<RunnerDependencies, 'gates'>,
  send: (request: Request) => Promise<unknown>,
): StepPerformers<'askGates' | 'stopGates'> {
  let asking = new AbortController();

  async function ask(record: CommandRecord, { signal }: AbortController): Promise<void> {
    const earlier = gates.turns.enter(record);
    const call = gatedCallOf(record);
    const all = call === null ? [] : gates.of(call).filter(({ asksModel }) => asksModel);
    const asked = call === null ? { decisions: [], notes: [] } : gates.ask(all, { call, signal });
    const [answer] = await Promise.all([asked, earlier]);
    if (!signal.aborted) await send({ type: 'gates.answered', answer });
  }

  return {
    askGates(_, record) {
      asking = new AbortController();
      void ask(record, asking).finally(() => gates.turns.leave(record.id));
    },
    stopGates: () => asking.abort(),
  };
}
