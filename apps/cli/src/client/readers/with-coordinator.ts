import { connectCoordinator } from '../connect-coordinator.ts';
import { type CoordinatorClient, createCoordinatorClient } from '../coordinator-client.ts';
import type { LocalAccess } from '../../runtime/server/local-access.ts';
import { namedServer } from '../named-server.ts';
import { serverReader } from './server-reader.ts';
import type { Reader } from './reader.ts';
import type { Context } from '../../runtime/contract/context.ts';
import { refuseInsideCommand } from '../refuse-inside-command.ts';
import { reportSource, sourceOf } from '../report-source.ts';

/** `what` completes the sentence "Cannot …" of an error. `start`: starts a coordinator if none runs. */
export type RequestPurpose = Readonly<{ what: string; start: boolean }>;

/**
 * Works with the coordinator of the server in `--server`, otherwise with that of the workspace.
 *
 * @throws {UnavailableError} `no-coordinator` when none runs and `start` is false
 */
export async function withCoordinator<Answer>(
  context: Context,
  purpose: RequestPurpose,
  work: (client: CoordinatorClient, reader: Reader) => Promise<Answer>,
): Promise<Answer> {
  const access = await accessTo(context, purpose);
  return reportSource(context, sourceOf(access), async () =>
    work(await createCoordinatorClient(access), serverReader(access, context.clock)),
  );
}

/** How to reach that coordinator; refused inside a command. */
export async function accessTo(context: Context, purpose: RequestPurpose): Promise<LocalAccess> {
  refuseInsideCommand(context, purpose.what);
  return namedServer(context.flags, context) ?? connectCoordinator(context, purpose);
}
