import { useCommand } from '../api/queries.ts';
import type { CommandView } from '../api/views.ts';
import { durationText } from '../house/time-text.ts';
import { useNow } from '../house/use-now.ts';
import { visibleText } from '../parts/visible-parts.ts';

/** The card stays when somebody else was first; the bar says who, and how long ago. */
export function DecidedBar({
  id,
  state,
  onNext,
}: Readonly<{ id: string; state: string; onNext: () => void }>) {
  const { data } = useCommand(id, state);
  const now = useNow();
  return (
    <div className="decide" role="status">
      <span className="decided">{data === undefined ? 'Decided elsewhere' : decidedText(data, now)}</span>
      <button type="button" className="btn" onClick={onNext}>
        Next
      </button>
    </div>
  );
}

const CHANNELS = {
  terminal: 'in the terminal',
  cli: 'on the command line',
  http: 'here',
  demo: '',
  test: '',
} as const;

export function decidedText(
  { approval, result }: Pick<CommandView, 'approval' | 'result'>,
  now: number,
): string {
  if (approval === null) return 'It no longer waits for a person';
  if (approval.status === 'expired')
    return `Expired after ${durationText(approval.expiresAt - approval.requestedAt)}. It was not run`;
  if (approval.status === 'pending')
    return result === null ? 'It waits for a person' : 'It ended before anybody decided';
  const { by, answeredAt, status } = approval;
  const word =
    status === 'refused' ? 'Refused' : approval.modifiedFrom === undefined ? 'Granted' : 'Granted, modified,';
  return `${word} by ${visibleText(by.name)} ${CHANNELS[by.channel]}, ${durationText(now - answeredAt)} ago`;
}
