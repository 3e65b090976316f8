import { checkResult, clockTime, type ReviewCheckView } from '@signalbox/api';
import { linkTo } from '../frame/route.ts';
import { useNow } from '../workspace/use-now.ts';
import { Code } from '../parts/with-code.tsx';
import styles from './checks.module.css';

/** How the last test and lint runs ended, and whether they are still valid for these files. */
export function Checks({ checks }: Readonly<{ checks: readonly ReviewCheckView[] }>) {
  const now = useNow();
  if (checks.length === 0) return null;
  return (
    <ul className={styles['checks']} aria-label="Checks">
      {checks.map((check) => {
        const { command, title, passed, isOlder, endedAt } = check;
        const tone = isOlder ? 'wait' : passed ? 'ok' : 'stop';
        return (
          <li key={command} data-tone={tone}>
            <span aria-hidden="true">{isOlder ? '!' : passed ? '✓' : '✗'}</span>
            <a href={linkTo('history', command)}>
              <Code text={title} />
            </a>{' '}
            {checkResult(check)}
            <small>{clockTime(Math.max(0, now - endedAt))} ago</small>
          </li>
        );
      })}
    </ul>
  );
}
