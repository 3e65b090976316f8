import { join } from 'node:path';
import { checkAudit, readStuckCommands } from '@signalbox/coordinator';
import { defaultSettings, errorText, type Settings, SignalboxError } from '@signalbox/core';
import type { Diagnosis } from '@signalbox/sandbox';
import type { Context } from '../../runtime/contract/context.ts';
import type { Records } from '../../runtime/contract/runtime.ts';
import { certificatesOf } from '../../runtime/certificates-of.ts';
import { auditFilesOf } from '../../runtime/audit-files.ts';
import { diagnoseNodes, wantedLabels } from './diagnose-nodes.ts';
import { marksIn } from '../../runtime/workspace-marks.ts';
import { diagnoseIsolation } from '../../runtime/probe-isolation.ts';
import { loadSettings } from '../../runtime/settings/load-settings.ts';
import { VERSION } from '../../runtime/contract/version.ts';
import type { DoctorCheck } from '../../views/doctor-view.ts';
import { keysCheck } from './keys-check.ts';
import { workspaceCheck } from './workspace-check.ts';

/** Everything that this workspace needs, each really tried. */
export async function findChecks(context: Context): Promise<readonly DoctorCheck[]> {
  const { directory: workspace, env, clock } = context;
  const probe = { workspace, path: env['PATH'], clock, container: await containerOf(context) };
  return [
    ...(await diagnoseIsolation(probe)).map(toCheck),
    workspaceCheck(workspace, env),
    ...(await storedChecks(context)),
    await settingsCheck(context),
    ...(await serverChecks(context)),
    await keysCheck(context),
    ...certificateChecks(context),
    terminalCheck(context),
  ];
}

/** For certificates named in the user's environment; empty if there are none. */
function certificateChecks({ env, directory }: Context): readonly DoctorCheck[] {
  const { used, refused } = certificatesOf(env, directory);
  const names = Object.keys(used);
  if (names.length + refused.length === 0) return [];
  const given = names.length === 0 ? [] : [`commands trust the certificates of your ${names.join(', ')}`];
  const not = refused.map(({ name, path, why }) => `they don't get ${name}: "${path}": ${why}`);
  return [{ id: 'certificates', ok: refused.length === 0, stops: false, why: [...given, ...not].join('; ') }];
}

function toCheck({ fix, ...diagnosis }: Diagnosis): DoctorCheck {
  return { ...diagnosis, ...(fix === null ? {} : { fix }) };
}

/** For the workspace's records; empty if there are none. */
async function storedChecks(context: Context): Promise<readonly DoctorCheck[]> {
  const { entry, directory: workspace, env } = context;
  let records: Records | null;
  try {
    records = await entry.openRecords({ workspace, env });
  } catch (error) {
    return [storeCheck(error)];
  }
  if (records === null) return auditFilesOf(workspace).length === 0 ? [] : [RECORDS_GONE];
  try {
    return [
      ...(await nodeChecks(records, context)),
      ...(await stuckChecks(records)),
      ...(await auditChecks(records, context)),
    ];
  } catch (error) {
    return [storeCheck(error)];
  } finally {
    await records.close();
  }
}

function storeCheck(error: unknown): DoctorCheck {
  const { why, next } = error instanceof SignalboxError ? error : { why: [], next: [] };
  const message = errorText(error);
  const [fix] = next;
  return {
    id: 'store',
    ok: false,
    stops: true,
    why: [message, ...why].join(': '),
    ...(fix === undefined ? {} : { fix }),
  };
}

/** For the nodes, if the workspace is in Redis. */
async function nodeChecks(records: Records, context: Context): Promise<readonly DoctorCheck[]> {
  const seen = await records.nodesSeen();
  if (seen === null) return [];
  return diagnoseNodes(seen, {
    marks: marksIn(join(context.directory, '.signalbox')),
    version: VERSION,
    wanted: await loadSettings(context).then(
      ({ settings }) => wantedLabels(settings),
      () => [],
    ),
  });
}

const RECORDS_GONE: DoctorCheck = {
  id: 'audit log',
  ok: false,
  stops: false,
  why: 'there is an audit log but no records (.signalbox/state.db): they were removed',
  fix: 'signalbox audit   lists what was run',
};

/** Whether the end of the audit log and the records agree, if one coordinator writes both. */
async function auditChecks(records: Records, context: Context): Promise<readonly DoctorCheck[]> {
  if ((await records.nodesSeen()) !== null) return [];
  const loaded = await loadSettings(context).catch(() => null);
  const { execution } = loaded?.settings ?? defaultSettings();
  const log = join(context.directory, '.signalbox', 'audit.jsonl');
  const troubles = await checkAudit(log, records.store, { kept: execution.execution_history_limit });
  return troubles.map(({ message, next }) => ({
    id: 'audit log',
    ok: false,
    stops: false,
    why: message,
    ...(next[0] === undefined ? {} : { fix: next[0] }),
  }));
}

/** For commands whose files are partly applied. */
async function stuckChecks({ facts }: Records): Promise<readonly DoctorCheck[]> {
  return (await readStuckCommands(facts)).map(({ command, why }) => ({
    id: 'files',
    ok: false,
    stops: false,
    why: `${command} is partly applied and keeps its leases: ${why}`,
    fix: 'fix what is named; the rollback is retried every minute and at the next start',
  }));
}

/** Null if the settings can't be read: their own check reports that. */
async function containerOf(context: Context): Promise<Settings['sandbox']['container']> {
  return loadSettings(context).then(
    ({ settings }) => settings.sandbox.container,
    () => null,
  );
}

/** Settings that can't be read have a check of their own. */
async function serverChecks(context: Context): Promise<readonly DoctorCheck[]> {
  const loaded = await loadSettings(context).catch(() => null);
  if (loaded === null || Object.keys(loaded.settings.mcp_servers).length === 0) return [];
  const { checkServers } = await import('../agents/check-servers.ts');
  return checkServers(loaded.settings, context);
}

async function settingsCheck(context: Context): Promise<DoctorCheck> {
  try {
    const { sources, notes, fileNotes } = await loadSettings(context);
    const [first] = fileNotes;
    if (first !== undefined)
      return { id: 'settings', ok: false, stops: false, why: first.message, fix: first.fix };
    const names = sources.map(({ name }) => name).join(', ');
    const noted = notes.length === 0 ? '' : `, ${notes.length} to check: signalbox config list`;
    return { id: 'settings', ok: true, stops: true, why: `${names === '' ? 'all defaults' : names}${noted}` };
  } catch (error) {
    const why = errorText(error);
    return { id: 'settings', ok: false, stops: true, why, fix: 'signalbox config list   shows where' };
  }
}

function terminalCheck({ terminal }: Context): DoctorCheck {
  const { stdout, rows, ascii, live } = terminal;
  const size = stdout.tty ? `${stdout.width}x${rows}` : 'no terminal on standard output';
  const parts = [
    size,
    stdout.colour ? 'colour' : 'no colour',
    ascii ? 'ASCII' : 'Unicode',
    live ? 'live' : 'plain lines',
  ];
  return { id: 'terminal', ok: true, stops: false, why: parts.join(', ') };
}
