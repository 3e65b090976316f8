import { PROTOCOL, stopCoordinator } from '@signalbox/api';
import { UnavailableError } from '@signalbox/core';
import type { Context } from '../runtime/contract/context.ts';
import { VERSION } from '../runtime/contract/version.ts';
import { sendTo } from './send-to.ts';
import type { FoundCoordinator } from './find-coordinator.ts';
import { untilGone } from './until-gone.ts';

/**
 * Whether a coordinator can be used as it is. An idle one of an older version is asked to stop, so that the newer one
 * replaces it (`replace`); a newer one never is. If only the versions differ, but not the protocol, both work together.
 *
 * @throws {UnavailableError} `other-protocol` if the protocols differ and it could not be replaced
 */
export async function agreeWith(
  found: FoundCoordinator,
  { what, mayReplace }: Readonly<{ what: string; mayReplace: boolean }>,
  {
    context,
    ours = { version: VERSION, protocol: PROTOCOL },
  }: Readonly<{
    context: Pick<Context, 'clock' | 'directory'>;
    ours?: Readonly<{ version: string; protocol: number }>;
  }>,
): Promise<'use' | 'replace'> {
  const { hello } = found;
  const order = orderOf(ours, hello);
  if (order > 0 && mayReplace && (await endsIdle(found, context))) return 'replace';
  if (ours.protocol === hello.protocol) return 'use';
  throw order > 0 ? isOlder(found, what) : isNewer(found, what);
}

/** The only fields needed from a response of another protocol. */
const Answer = stopCoordinator.schema.response[200].pick({ kind: true });

/** Above 0: ours is newer. */
function orderOf(ours: { version: string; protocol: number }, theirs: FoundCoordinator['hello']): number {
  if (ours.protocol !== theirs.protocol) return ours.protocol - theirs.protocol;
  const numbers = (version: string): number[] => version.split(/[.+-]/).slice(0, 3).map(Number);
  const there = numbers(theirs.version);
  const differences = numbers(ours.version).map((part, index) => part - (there[index] ?? 0));
  return differences.find((difference) => difference !== 0) ?? 0;
}

/** This route is the same in every protocol. */
async function endsIdle(
  found: FoundCoordinator,
  context: Pick<Context, 'clock' | 'directory'>,
): Promise<boolean> {
  const { method, url: path } = stopCoordinator;
  const answer = await sendTo(found.access, { method, path, body: { when: 'idle' } }).then(
    ({ body }) => Answer.safeParse(body).data,
    () => undefined,
  );
  return answer?.kind === 'stopping' && (await untilGone(found.hello.pid, context));
}

function isOlder({ hello }: FoundCoordinator, what: string): UnavailableError {
  return new UnavailableError('other-protocol', `Cannot ${what}: an older Signalbox leads this workspace`, {
    why: [`version ${hello.version} is running and in use; this is ${VERSION}`],
    next: ['signalbox stop   stops it when its work has finished', 'then try again'],
  });
}

function isNewer({ hello }: FoundCoordinator, what: string): UnavailableError {
  return new UnavailableError('other-protocol', `Cannot ${what}: a newer Signalbox leads this workspace`, {
    why: [`version ${hello.version} is running; this is ${VERSION}`],
    next: ['use that version here too', 'or stop it with that version: signalbox stop'],
  });
}
