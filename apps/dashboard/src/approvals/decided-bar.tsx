import { useCommand } from '../api/queries.ts';
import { type CommandView, clockTime } from '@signalbox/api';
import { linkTo } from '../frame/route.ts';
import { useNow } from '../workspace/use-now.ts';
import { shortId } from '../parts/short-id.ts';
import { isAnswerable } from './late-answer.tsx';
import { visible } from '@signalbox/core/visible-text';
import styles from './decide-bar.module.css';

/** The card stays after a decision elsewhere; the bar says who decided, and how long ago. */
export function DecidedBar({
  id,
  state,
  onNext,
}: Readonly<{ id: string; state: string; onNext: () => void }>) {
  const { data } = useCommand(id, state);
  const now = useNow();
  return (
    <div className={styles['bar']} role="status">
      <span className={styles['result']}>
        {data === undefined ? 'Decided elsewhere' : decidedText(data, now)}
      </span>
      {data !== undefined && isAnswerable(data) && (
        <a className="btn ask" href={linkTo('history', id)}>
          Answer late
        </a>
      )}
      <button type="button" className="btn" onClick={onNext}>
        Next
      </button>
    </div>
  );
}

const CHANNELS = {
  terminal: 'in the terminal',
  cli: 'on the command line',
  dashboard: 'in the dashboard',
  mcp: 'in the agent',
  api: 'over the API',
  http: '',
  demo: '',
  test: '',
} as const;

export function decidedText(
  { id, approval, result }: Pick<CommandView, 'id' | 'approval' | 'result'>,
  now: number,
): string {
  if (approval === null) return 'No longer pending';
  if (approval.status === 'expired') {
    const reported = `Expired after ${clockTime(approval.expiresAt - approval.requestedAt)}; it did not run`;
    return approval.answerable === true
      ? `${reported}. It can still be answered, for its next identical call: here or with signalbox approve ${shortId(id)}`
      : reported;
  }
  if (approval.status === 'pending') return result === null ? 'Pending' : 'It finished before it was decided';
  const { by, answeredAt, status } = approval;
  const isQuestion = approval.question !== undefined;
  const word =
    status === 'refused'
      ? isQuestion
        ? 'Declined'
        : 'Denied'
      : isQuestion
        ? 'Answered'
        : approval.modifiedFrom === undefined
          ? 'Approved'
          : 'Approved, modified,';
  return `${word} by ${visible(by.name)} ${CHANNELS[by.channel]}, ${clockTime(now - answeredAt)} ago`;
}
