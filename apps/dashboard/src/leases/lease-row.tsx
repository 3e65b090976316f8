import type { Lease } from '@signalbox/core';
import { type WaitingView, clockTime } from '@signalbox/api';
import { linkTo } from '../frame/route.ts';
import { resourceText } from '../workspace/resource-nodes.ts';
import type { CommandSummary } from '@signalbox/api';
import { lineOf } from '../workspace/command-text.ts';
import { useNow } from '../workspace/use-now.ts';
import { Plate } from '../parts/plate.tsx';
import { StatusLight } from '../parts/status-light.tsx';
import type { ResourceRow } from './resource-rows.ts';
import styles from './leases-page.module.css';

type Props = Readonly<{
  row: ResourceRow;
  summaries: ReadonlyMap<string, CommandSummary>;
  isSelected: boolean;
  onSelect: (commandId: string) => void;
}>;

const MAX_CHIPS = 3;
const MAX_DEPTH = 4;

/** Waiting, signal, occupied: from left to right. */
export function LeaseRow({ row, summaries, isSelected, onSelect }: Props) {
  const { resource, depth, leases, waiting, isPartlyHeld } = row;
  const isBusy = leases.length > 0 || waiting.length > 0;
  const use = leases.length > 0 ? 'held' : isPartlyHeld ? 'partly' : 'free';
  const name = resource === 'workspace' ? resource : resourceText(resource);
  return (
    <div
      className={[
        styles['row'],
        ...(isBusy ? [styles['big']] : []),
        ...(isSelected && isBusy ? [styles['selected']] : []),
      ].join(' ')}
    >
      <div
        className={styles['resource']}
        data-use={use}
        style={{ paddingLeft: 16 + 22 * Math.min(depth, MAX_DEPTH) }}
      >
        <b title={name}>
          <bdi>{name}</bdi>
        </b>
        {isPartlyHeld && <small>partly held below</small>}
      </div>
      <div className={styles['queue']}>
        {waiting.length === 0 && leases.length > 0 && (
          <span className={styles['free']}>Nothing is waiting</span>
        )}
        {waiting.slice(0, MAX_CHIPS).map((entry, at) => (
          <CommandChip
            key={entry.commandId}
            entry={entry}
            position={at + 1}
            summary={summaries.get(entry.commandId)}
          />
        ))}
        {waiting.length > MAX_CHIPS && <span className={styles['free']}>+{waiting.length - MAX_CHIPS}</span>}
      </div>
      <div className={styles['boundary']}>
        {isBusy && <StatusLight state={leases.length > 0 ? 'stop' : 'clear'} />}
      </div>
      <div className={styles['holders']}>
        <i className={styles['edge']} />
        {leases.length === 0 ? (
          <span className={styles['free']}>{isPartlyHeld ? 'Free for other files' : 'Free'}</span>
        ) : (
          leases.map((lease) => (
            <HolderChip
              key={lease.leaseId}
              lease={lease}
              resource={resource}
              summary={summaries.get(lease.commandId)}
              isThin={leases.length > 1}
              onSelect={onSelect}
            />
          ))
        )}
      </div>
    </div>
  );
}

function CommandChip({
  entry,
  position,
  summary,
}: Readonly<{ entry: WaitingView; position: number; summary: CommandSummary | undefined }>) {
  const now = useNow();
  return (
    <a className={styles['waiter']} href={linkTo('history', entry.commandId)}>
      <i>{position}</i>
      <Plate provider={entry.provider} />
      <div>
        <b>{summary === undefined ? entry.commandId : lineOf(summary)}</b>
        <small>
          {entry.provider} waits <time>{clockTime(now - entry.since)}</time>
        </small>
      </div>
    </a>
  );
}

function HolderChip({
  lease,
  resource,
  summary,
  isThin,
  onSelect,
}: Readonly<{
  lease: Lease;
  resource: string;
  summary: CommandSummary | undefined;
  isThin: boolean;
  onSelect: (commandId: string) => void;
}>) {
  const now = useNow();
  const access = lease.claims.find((claim) => claim.resource === resource)?.access ?? 'read';
  const words = `${lease.provider} ${access === 'write' ? 'writes' : 'reads'}`;
  return (
    <button
      type="button"
      className={isThin ? `${styles['lease']} ${styles['thin']}` : styles['lease']}
      onClick={() => onSelect(lease.commandId)}
    >
      <Plate provider={lease.provider} />
      {isThin ? (
        <small>{words}</small>
      ) : (
        <div>
          <b>{summary === undefined ? lease.commandId : lineOf(summary)}</b>
          <small>
            {words}, <time>{clockTime(now - lease.grantedAt)}</time>
          </small>
        </div>
      )}
      {!isThin && <span className="num">Fencing token {lease.fencingToken}</span>}
    </button>
  );
}
