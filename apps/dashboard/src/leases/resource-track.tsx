import type { Lease } from '@signalbox/core';
import { type WaitingView, clockTime } from '@signalbox/api';
import { linkTo } from '../frame/route.ts';
import { resourceText } from '../workspace/resource-nodes.ts';
import type { CommandSummary } from '@signalbox/api';
import { lineOf } from '../workspace/train.ts';
import { useNow } from '../workspace/use-now.ts';
import { Plate } from '../parts/plate.tsx';
import { SignalHead } from '../parts/signal-head.tsx';
import type { ResourceRow } from './resource-rows.ts';

type Props = Readonly<{
  row: ResourceRow;
  trains: ReadonlyMap<string, CommandSummary>;
  isSelected: boolean;
  onSelect: (commandId: string) => void;
}>;

const MOST_CARS = 3;
const MOST_DEPTH = 4;

/** Waiting, signal, occupied: movement goes from left to right. */
export function ResourceTrack({ row, trains, isSelected, onSelect }: Props) {
  const { resource, depth, leases, waiting, isPartlyHeld } = row;
  const isBusy = leases.length > 0 || waiting.length > 0;
  const kind = leases.length > 0 ? 'occ' : isPartlyHeld ? 'int' : '';
  const name = resource === 'workspace' ? resource : resourceText(resource);
  return (
    <div className={['prow', ...(isBusy ? ['big'] : []), ...(isSelected && isBusy ? ['sel'] : [])].join(' ')}>
      <div className={`res ${kind}`} style={{ paddingLeft: 16 + 22 * Math.min(depth, MOST_DEPTH) }}>
        <b title={name}>
          <bdi>{name}</bdi>
        </b>
        {isPartlyHeld && <small>partly held below</small>}
      </div>
      <div className="queue">
        {waiting.length === 0 && leases.length > 0 && <span className="free">Nothing is waiting</span>}
        {waiting.slice(0, MOST_CARS).map((entry, at) => (
          <Car key={entry.commandId} entry={entry} place={at + 1} train={trains.get(entry.commandId)} />
        ))}
        {waiting.length > MOST_CARS && <span className="free">+{waiting.length - MOST_CARS}</span>}
      </div>
      <div className="point">{isBusy && <SignalHead aspect={leases.length > 0 ? 'stop' : 'clear'} />}</div>
      <div className="occupied">
        <i className="joint a" />
        {leases.length === 0 ? (
          <span className="free">{isPartlyHeld ? 'Free for other files' : 'Free'}</span>
        ) : (
          leases.map((lease) => (
            <Occupant
              key={lease.leaseId}
              lease={lease}
              resource={resource}
              train={trains.get(lease.commandId)}
              isThin={leases.length > 1}
              onSelect={onSelect}
            />
          ))
        )}
      </div>
    </div>
  );
}

function Car({
  entry,
  place,
  train,
}: Readonly<{ entry: WaitingView; place: number; train: CommandSummary | undefined }>) {
  const now = useNow();
  return (
    <a className="car" href={linkTo('history', entry.commandId)}>
      <i>{place}</i>
      <Plate provider={entry.provider} />
      <div>
        <b>{train === undefined ? entry.commandId : lineOf(train)}</b>
        <small>
          {entry.provider} waits <time>{clockTime(now - entry.since)}</time>
        </small>
      </div>
    </a>
  );
}

function Occupant({
  lease,
  resource,
  train,
  isThin,
  onSelect,
}: Readonly<{
  lease: Lease;
  resource: string;
  train: CommandSummary | undefined;
  isThin: boolean;
  onSelect: (commandId: string) => void;
}>) {
  const now = useNow();
  const access = lease.claims.find((claim) => claim.resource === resource)?.access ?? 'read';
  const words = `${lease.provider} ${access === 'write' ? 'writes' : 'reads'}`;
  return (
    <button
      type="button"
      className={isThin ? 'train thin' : 'train'}
      onClick={() => onSelect(lease.commandId)}
    >
      <Plate provider={lease.provider} />
      {isThin ? (
        <small>{words}</small>
      ) : (
        <div>
          <b>{train === undefined ? lease.commandId : lineOf(train)}</b>
          <small>
            {words}, <time>{clockTime(now - lease.grantedAt)}</time>
          </small>
        </div>
      )}
      {!isThin && <span className="num">Fencing token {lease.fencingToken}</span>}
    </button>
  );
}
