import { hostname } from 'node:os';
import { type NodeRecord, UnavailableError } from '@signalbox/core';
import { livenessOf, ProcessIdentity } from '@signalbox/embedded';
import { sendSignal } from '@signalbox/sandbox/process';
import type { Context } from '../../runtime/contract/context.ts';
import { EXIT, type ExitCode } from '../../runtime/contract/exit-code.ts';
import { withRecords } from '../../client/readers/with-records.ts';
import { refuseInsideCommand } from '../../client/refuse-inside-command.ts';
import { as, line, muted } from '../../terminal/line.ts';

/**
 * `signalbox worker --drain`: the workers of this workspace on this machine take no more, finish running commands, and
 * leave.
 */
export async function drainWorkers(context: Context): Promise<ExitCode> {
  refuseInsideCommand(context, 'drain workers');
  const members = await withRecords(context, (records) => records.members());
  const workers = (members ?? []).filter(({ kind }) => kind === 'worker');
  const found = await Promise.all(
    workers.map(async (worker) => ({ worker, isHere: await runsHere(worker) })),
  );
  const here = found.filter(({ isHere }) => isHere).map(({ worker }) => worker);
  const elsewhere = found.filter(({ isHere }) => !isHere).map(({ worker }) => worker);
  const asked = here.filter(({ pid }) => sendSignal(pid, 'SIGTERM'));
  if (asked.length === 0) throw noneHere(elsewhere);
  context.answer({
    json: () => ({ draining: asked.map(({ id }) => id), elsewhere: elsewhere.map(({ id }) => id) }),
    lines: () => [
      ...asked.map(({ id, pid }) => line(as('ok', 'draining '), id, muted(` · process ${pid}`))),
      ...elsewhere.map(({ id, host }) => line(muted(`on ${host}, can't be drained from here: `), id)),
    ],
  });
  context.say([
    line(muted('each takes no new commands and exits when its running ones have finished: signalbox status')),
  ]);
  return EXIT.ok;
}

/** That very process, not a later one with its pid. */
async function runsHere({ identity }: NodeRecord): Promise<boolean> {
  const known = ProcessIdentity.safeParse(identity);
  return known.success && (await livenessOf(known.data, hostname())) === 'alive';
}

function noneHere(elsewhere: readonly NodeRecord[]): UnavailableError {
  return new UnavailableError('no-worker', 'Cannot drain: no worker of this workspace runs on this machine', {
    why: elsewhere.map(({ id, host }) => `${id} runs on ${host}`),
    next: elsewhere.length > 0 ? ['there: signalbox worker --drain'] : ['signalbox status'],
  });
}
