import { clockTime } from '@signalbox/api';
import type { Lease } from '@signalbox/core';
import { useWorkspace } from '../workspace/panel-store.ts';
import { timeOfDay } from '../workspace/time-text.ts';
import { resourceText } from '../workspace/resource-nodes.ts';
import { lineOf } from '../workspace/command-text.ts';
import { useNow } from '../workspace/use-now.ts';
import { Plate } from '../parts/plate.tsx';
import { Code } from '../parts/with-code.tsx';
import { RevokeButton } from './revoke-button.tsx';
import { WaitsForIt } from './waits-for-it.tsx';
import styles from './lease-card.module.css';

export function LeaseCard({ lease }: Readonly<{ lease: Lease | null }>) {
  return (
    <section className="panel" aria-label="Selected lease">
      <div className="panel-title">
        <h2>{lease === null ? 'Lease' : `Lease on ${claimsText(lease)}`}</h2>
        <span className="spacer" />
        {lease !== null && <Plate provider={lease.provider} />}
      </div>
      {lease === null ? <p className="padded dim">No leases held</p> : <Facts lease={lease} />}
    </section>
  );
}

function claimsText({ claims }: Lease): string {
  return claims.length === 1 ? '1 resource' : `${claims.length} resources`;
}

function Facts({ lease }: Readonly<{ lease: Lease }>) {
  const now = useNow();
  const summary = useWorkspace(({ commands }) => commands.get(lease.commandId) ?? null);
  const left = Math.max(0, lease.expiresAt - now);
  return (
    <div className={styles['lease']} tabIndex={0} role="region" aria-label="Facts of the lease">
      {summary !== null && <Code text={lineOf(summary)} />}
      <Term leftMs={left} />
      <dl>
        <dt>Fencing token</dt>
        <dd>{lease.fencingToken}</dd>
        <dt>Granted</dt>
        <dd>{timeOfDay(lease.grantedAt)}</dd>
        <dt>Held for</dt>
        <dd>{clockTime(now - lease.grantedAt)}</dd>
        <dt>Expires in</dt>
        <dd>{clockTime(left)}</dd>
        {lease.claims.map(({ resource, access }) => (
          <div key={resource} className={styles['claim']}>
            <dt>{access === 'write' ? 'Writes' : 'Reads'}</dt>
            <dd>
              <Code text={resourceText(resource)} />
            </dd>
          </div>
        ))}
      </dl>
      {summary?.endedAt === null && (
        <div className="actions">
          <RevokeButton lease={lease} summary={summary} />
        </div>
      )}
      <WaitsForIt commandId={lease.commandId} />
    </div>
  );
}

/** Below this share of its term a lease should have been renewed. */
const LATE = 1 / 3;

/** The rest of the term, visually: the text next to it says the same. */
function Term({ leftMs }: Readonly<{ leftMs: number }>) {
  const termMs = useWorkspace(({ limits }) => limits.leaseTtlMs);
  const share = Math.min(1, leftMs / termMs);
  return (
    <div
      className={share < LATE ? `${styles['time-left']} ${styles['late']}` : styles['time-left']}
      aria-hidden="true"
    >
      <i style={{ scale: `${share} 1` }} />
    </div>
  );
}
