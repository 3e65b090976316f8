import type { ReactNode } from 'react';
import styles from './empty-lane.module.css';

/** An empty state: one sentence, one action, and an empty lane. */
export function EmptyLane({ title, children }: Readonly<{ title: string; children?: ReactNode }>) {
  return (
    <div className={styles['empty']}>
      <svg viewBox="0 0 320 40" aria-hidden="true">
        <path d="M0 20H150l16 12H320M166 20H320" stroke="var(--color-rail)" strokeWidth="4" fill="none" />
        <path d="M132 8v24" stroke="var(--color-ink-3)" strokeWidth="2" />
      </svg>
      <h2 tabIndex={-1}>{title}</h2>
      {children}
    </div>
  );
}
