import type { Approval } from '@signalbox/core';
import { type CommandView, clockTime } from '@signalbox/api';
import { useNow } from '../workspace/use-now.ts';
import { visible } from '@signalbox/core/visible-text';
import styles from './decide-bar.module.css';

/** Time left for the approval, and whether it is still pending after pausing its session. */
export function Expiry({
  command: { approval },
  hint,
  hasAgreed,
}: Readonly<{ command: CommandView; hint: string; hasAgreed: boolean }>) {
  const now = useNow();
  if (approval === null) return null;
  const left = approval.expiresAt - now;
  return (
    <div className={styles['expiry']}>
      <span role="status">{hint}</span>
      {approval.approvers > 1 && <span>{agreedText(approval, hasAgreed)}</span>}
      {approval.status === 'pending' && approval.pausedAt !== undefined ? (
        <b className={styles['soon']}>
          Expired <time>{clockTime(-left)}</time> ago; its session is paused, and you can still answer
        </b>
      ) : (
        <b className={left < 60_000 ? styles['soon'] : ''}>
          Expires {left < 60_000 ? 'soon, ' : ''}in <time>{clockTime(left)}</time>
        </b>
      )}
    </div>
  );
}

/** For an approval by two people. */
function agreedText({ approvers, grants }: Approval, hasAgreed: boolean): string {
  if (hasAgreed) return 'You approved. One more approver is needed';
  const names = grants.map(({ by }) => visible(by.name)).join(', ');
  return grants.length === 0
    ? `Needs ${approvers} approvers`
    : `${names} approved. One more approver is needed`;
}
