import { listRuns, RunView } from '@signalbox/api';
import type { RunRequest } from '@signalbox/coordinator';
import { type ProviderId, type RunId, type SessionId, type Settings, UsageError } from '@signalbox/core';
import * as z from 'zod';
import { askServer } from '../serve/ask-server.ts';
import type { LocalAccess } from '../serve/local-access.ts';

/** What a person does with runs of a coordinator. */
export type RunApi = Readonly<{
  start(request: Omit<RunRequest, 'by'>): Promise<RunView>;
  get(id: RunId): Promise<RunView>;
  /** Running ones first. */
  list(): Promise<readonly RunView[]>;
  /** A run that is over stays so. */
  stop(id: RunId, mode: 'graceful' | 'force'): Promise<void>;
  /** Nothing happens where somebody else has answered. */
  giveTurns(id: SessionId, turns: number): Promise<void>;
}>;

export function runApi(access: LocalAccess): RunApi {
  return {
    start: (body) => askServer(access, { method: 'POST', path: '/api/runs', body }, RunView),
    get: (id) => askServer(access, { method: 'GET', path: `/api/runs/${id}` }, RunView),
    async list() {
      const { runs } = await askServer(
        access,
        { method: 'GET', path: '/api/runs' },
        listRuns.schema.response[200],
      );
      return runs;
    },
    stop: (id, mode) => unless('unknown-run', { access, path: `/api/runs/${id}/stop`, body: { mode } }),
    giveTurns: (id, turns) =>
      unless('turns-not-asked', { access, path: `/api/sessions/${id}/turns`, body: { turns } }),
  };
}

async function unless(
  code: string,
  { access, path, body }: Readonly<{ access: LocalAccess; path: string; body: object }>,
): Promise<void> {
  try {
    await askServer(access, { method: 'POST', path, body }, z.unknown());
  } catch (error) {
    if (!(error instanceof UsageError) || error.code !== code) throw error;
  }
}

/** The API keys that these providers want, as far as the environment has them. */
export function keysFor(
  providers: readonly ProviderId[],
  { settings, env }: Readonly<{ settings: Settings; env: Readonly<Record<string, string | undefined>> }>,
): Readonly<Record<string, string>> {
  const names = providers.map((id) => settings.providers[id]?.api_key_env ?? '');
  return Object.fromEntries(
    names.flatMap((name) => {
      const key = env[name] ?? '';
      return key === '' ? [] : [[name, key] as const];
    }),
  );
}
