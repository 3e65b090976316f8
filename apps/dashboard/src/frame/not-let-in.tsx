import type { ApiRefusal } from '../api/client.ts';
import { RefusalNote } from '../parts/refusal-note.tsx';
import { Mark } from './mark.tsx';
import styles from './not-let-in.module.css';

/** The whole page: retrying can't help, only a fresh link. */
export function NotLetIn({ refusal }: Readonly<{ refusal: ApiRefusal }>) {
  return (
    <main className={styles['sheet']} id="main">
      <p className={styles['brand']}>
        <Mark />
        <b>Signalbox</b>
      </p>
      <h1>Your session has ended</h1>
      <p>{refusal.title}.</p>
      <p>For a new link, run in the workspace:</p>
      <pre tabIndex={0}>signalbox dashboard</pre>
      <p>Each link works once, for two minutes.</p>
    </main>
  );
}

/** The server never responded: there is no earlier state to show. */
export function NotReached({ refusal, onRetry }: Readonly<{ refusal: ApiRefusal; onRetry: () => void }>) {
  return (
    <div className={styles['sheet']}>
      <h1>Not connected</h1>
      <RefusalNote refusal={refusal} onRetry={onRetry} />
    </div>
  );
}
