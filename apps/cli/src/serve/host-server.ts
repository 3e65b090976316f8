import { UnavailableError } from '@signalbox/core';
import * as z from 'zod';
import type { Context } from '../frame/context.ts';
import type { House } from '../house.ts';
import { as, type Line, line, muted } from '../screen/line.ts';
import { listenFlags, serveOptions } from './listen-flags.ts';

/**
 * Serves a house beside its real work, on the usual port or, where that is taken, on any other.
 *
 * Never fails: work without a server is work all the same, and it is told why.
 */
export async function hostServer(
  house: Pick<House, 'openServer'>,
  { context, signal }: { readonly context: Context; readonly signal: AbortSignal },
  tell: (lines: readonly Line[]) => void,
): Promise<void> {
  const usual = z.object(listenFlags).parse({});
  try {
    const { url } = await house.openServer(serveOptions(usual, context, signal)).catch((error: unknown) => {
      if (!(error instanceof UnavailableError) || error.code !== 'port-in-use') throw error;
      return house.openServer(serveOptions({ ...usual, port: 0 }, context, signal));
    });
    tell([line(muted('Dashboard and API: '), as('accent', url), muted(' · signalbox dashboard'))]);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    tell([line(as('warn', 'Server not started'), muted(`: ${why}`))]);
  }
}
