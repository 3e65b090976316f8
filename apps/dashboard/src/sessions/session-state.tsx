import { sessionEnding, type SessionView } from '@signalbox/api';
import { Icon } from '../parts/icon.tsx';

/** Whether it works, and how it ended. */
export function SessionState({
  session: { state, finish, needsTurns, criticalFailure, isResting, waitsFor },
}: Readonly<{
  session: Pick<
    SessionView,
    'state' | 'finish' | 'needsTurns' | 'criticalFailure' | 'isResting' | 'waitsFor'
  >;
}>) {
  if (needsTurns) {
    return (
      <span className="tag" data-tone="ask">
        <Icon name="hold" />
        {criticalFailure === null ? 'Needs turns' : 'Needs you'}
      </span>
    );
  }
  if (waitsFor !== null) {
    return (
      <span className="tag" data-tone="ask" title={waitsFor}>
        <Icon name="hold" />
        Waits for a key
      </span>
    );
  }
  if (isResting) {
    return (
      <span className="tag" data-tone="run">
        <Icon name="hold" />
        Waits for the check
      </span>
    );
  }
  if (state === 'running') {
    return (
      <span className="tag" data-tone="run">
        <Icon name="play" />
        Running
      </span>
    );
  }
  const isGood = finish === 'finished';
  const isStopped = finish === 'cancelled';
  return (
    <span className="tag" data-tone={isGood || isStopped ? '' : 'stop'}>
      <Icon name={isGood ? 'check' : isStopped ? 'bar' : 'cross'} />
      {sessionEnding(finish)}
    </span>
  );
}
