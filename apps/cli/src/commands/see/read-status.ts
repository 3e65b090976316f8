import { getStatus } from '@signalbox/api';
import type { CommandRecord } from '@signalbox/core';
import { askAt, unlessRefused } from '../../client/send-to.ts';
import type { Context } from '../../runtime/contract/context.ts';
import { reportAsOf, reportSource, sourceOf } from '../../client/report-source.ts';
import type { LocalAccess } from '../../runtime/server/local-access.ts';
import type { StatusData } from '../../views/status-view.ts';
import { pendingIn, type StatusRead } from './status-read.ts';

/** From that coordinator; from the records without one, or if it is too old to answer. */
export async function readStatus(access: LocalAccess | null, context: Context): Promise<StatusRead> {
  const asked = access === null ? null : await askStatus(access, context);
  if (asked !== null) return asked;
  const { readStored } = await import('./read-stored.ts');
  return readStored(context);
}

async function askStatus(access: LocalAccess, context: Context): Promise<StatusRead | null> {
  return reportSource(context, sourceOf(access), async () => {
    let isAway = false;
    const reportIt = reportAsOf(context);
    const onAsOf = (asOf: number): void => {
      isAway = true;
      reportIt(asOf);
    };
    const status = await unlessRefused('not-found', askAt(access, getStatus, { onAsOf }));
    if (status === null) return null;
    const { coordinator, budgetUsd, counts: all, ...same } = status;
    const { approvals: pending, ...counts } = all;
    const data: StatusData = {
      ...same,
      server: access.socket === undefined ? access.url : null,
      runningSince: coordinator.startedAt,
      counts: { ...counts, lost: counts.lost ?? 0 },
      approvals: pending === 0 ? [] : await pendingAt(access, context),
      budget: budgetUsd,
      isAway,
    };
    return { data, coordinator };
  });
}

/** Loads the schema of a whole command, which takes as long as everything else: only if one is pending. */
async function pendingAt(access: LocalAccess, { clock }: Context): Promise<readonly CommandRecord[]> {
  const { serverReader } = await import('../../client/readers/server-reader.ts');
  return pendingIn(serverReader(access, clock).commands);
}
