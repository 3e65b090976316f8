import { modelEnvironment, shortId } from '@signalbox/core';
import { clientAt } from '../../client/client-at.ts';
import type { Context } from '../../runtime/contract/context.ts';
import { chooseProviders } from '../run/choose-providers.ts';
import { keysFor } from '../run/keys-for.ts';
import { as, type Line, line, muted } from '../../terminal/line.ts';
import type { LocalAccess } from '../../runtime/server/local-access.ts';
import { loadSettings } from '../../runtime/settings/load-settings.ts';

/**
 * Starts a run from one typed line, as `signalbox run` would: a task for every provider with a key, or `PROVIDER=task`
 * for that one. It outlives this screen.
 */
export async function startSession(
  typed: string,
  { access, context }: Readonly<{ access: LocalAccess; context: Context }>,
): Promise<Line> {
  const { env } = context;
  const { settings } = await loadSettings(context);
  const [, provider = ''] = /^([\w-]+)=/.exec(typed) ?? [];
  const given = Object.hasOwn(settings.providers, provider) ? [typed] : [];
  const assignments = chooseProviders(given, typed, { settings, env });
  const providers = assignments.map((one) => one.provider);
  const { id } = await clientAt(access).startRun({
    assignments: [...assignments],
    keys: keysFor(providers, { settings, env }),
    clientEnv: modelEnvironment(env),
    attended: true,
  });
  return line(
    as('ok', ' ✓'),
    ` ${providers.join(', ')} started  `,
    muted(`signalbox attach ${shortId(id)} follows the run`),
  );
}
