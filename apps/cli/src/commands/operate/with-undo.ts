import type { Context } from '../../runtime/contract/context.ts';
import { withCoordinator } from '../../client/readers/with-coordinator.ts';
import type { CoordinatorClient } from '../../client/coordinator-client.ts';

export type SendUndo = CoordinatorClient['undo'];

/** Undoes through the coordinator; starts one if none runs. */
export function withUndo<Answer>(
  context: Context,
  use: (send: SendUndo) => Promise<Answer>,
): Promise<Answer> {
  return withCoordinator(context, { what: 'undo', start: true }, ({ undo }) => use(undo));
}
