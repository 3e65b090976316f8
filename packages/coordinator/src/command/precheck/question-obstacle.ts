import { ASK_PERSON, type CommandRecord, type Outcome } from '@signalbox/core';
import { refusals } from '../outcome/refusals.ts';

/** Open questions of one session: a person reads each of them. */
const MAX_OPEN = 3;

/** Why a question to a person is not shown to anybody; undefined: it is. */
export function questionObstacle(
  record: CommandRecord,
  before: (record: CommandRecord) => Iterable<{ record(): CommandRecord }>,
): Outcome | undefined {
  const { asking, unattended, sessionId } = record.context;
  if (asking === 'never' || unattended === true) return refusals.nobodyToAsk();
  let open = 0;
  for (const earlier of before(record)) {
    const { call, context, state } = earlier.record();
    if (call.tool === ASK_PERSON && context.sessionId === sessionId && state !== 'done') open += 1;
  }
  return open < MAX_OPEN ? undefined : refusals.tooManyQuestions(open);
}
