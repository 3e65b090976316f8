import { type CommandView, duration, OUTCOME_WORDS } from '@signalbox/api';

/** A step of a command: what happened, when, and how long it took to get there. */
export type TimedStep = Readonly<{
  name: string;
  at: number;
  after: string | null;
  tone: 'run' | 'stop' | '';
}>;

/** From the call to its one result. */
export function stepsOf(command: CommandView): readonly TimedStep[] {
  const { approval, endedAt, queuedAt, result, startedAt, submittedAt } = command;
  const isGranted = approval?.status === 'granted';
  const decidedAt = approval !== null && 'answeredAt' in approval ? approval.answeredAt : null;
  const stops: readonly (readonly [string, number | null, TimedStep['tone']])[] = [
    ['Submitted', submittedAt, ''],
    ['Asked', approval?.firstRequestedAt ?? approval?.requestedAt ?? null, ''],
    [isGranted ? `Approved by ${approval.by.name}` : 'Denied', decidedAt, isGranted ? '' : 'stop'],
    ['Queued', queuedAt, ''],
    ['Started', startedAt, 'run'],
    [
      result === null ? 'Ended' : OUTCOME_WORDS[result.outcome.kind],
      endedAt,
      result?.outcome.kind === 'completed' ? 'run' : 'stop',
    ],
  ];
  const reached = stops.flatMap(([name, at, tone]) => (at === null ? [] : [{ name, at, tone }]));
  return reached.map(({ name, at, tone }, index) => {
    const before = reached[index - 1];
    return { name, at, tone, after: before === undefined ? null : duration(at - before.at) };
  });
}
