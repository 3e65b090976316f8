import { existsSync, statSync } from 'node:fs';
import { basename, delimiter, join } from 'node:path';
import { type Isolation, SandboxError } from '@signalbox/core';
import * as z from 'zod';
import type { Context } from '../frame/context.ts';
import { defineSubcommand } from '../frame/define-subcommand.ts';
import { EXIT } from '../frame/exit-code.ts';
import { keysFound } from '../init/keys-found.ts';
import { probeIsolation } from '../probe-isolation.ts';
import { loadSettings } from '../settings/load-settings.ts';
import { type DoctorCheck, doctorView } from '../views/doctor-view.ts';

/** `signalbox doctor`: each check is really done, not guessed from versions. */
export const doctor = defineSubcommand({
  name: 'doctor',
  args: z.object({}),
  async run(_args, context) {
    const isolation = await probeIsolation({
      workspace: context.directory,
      path: context.env['PATH'],
      clock: context.clock,
    });
    const checks = [
      nodeCheck(),
      ...programChecks(context.env['PATH'] ?? ''),
      workspaceCheck(context.directory),
      await settingsCheck(context),
      ...isolationChecks(isolation),
      keysCheck(context.env),
      terminalCheck(context),
    ];
    context.answer({ json: () => ({ checks }), lines: () => doctorView(checks) });
    return checks.some(({ ok, stops }) => !ok && stops) ? EXIT.failed : EXIT.ok;
  },
});

function nodeCheck(): DoctorCheck {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const ok = major > 22 || (major === 22 && minor >= 18);
  return { id: 'node', ok, stops: true, why: process.versions.node, fix: 'install Node.js 22.18 or newer' };
}

const PROGRAMS: Readonly<Record<string, Readonly<{ stops: boolean; why: string }>>> = {
  bash: { stops: true, why: 'shell lines run in it' },
  git: { stops: false, why: 'the git tools need it' },
  rg: { stops: false, why: 'search_files needs it (package ripgrep)' },
};

function programChecks(path: string): readonly DoctorCheck[] {
  return Object.entries(PROGRAMS).map(([id, { stops, why }]) => {
    const found = path
      .split(delimiter)
      .map((folder) => join(folder, id))
      .find((file) => existsSync(file));
    return {
      id,
      ok: found !== undefined,
      stops,
      why: found ?? `not found: ${why}`,
      fix: `apt-get install ${id === 'rg' ? 'ripgrep' : id}   (macOS: brew install …)`,
    };
  });
}

function workspaceCheck(directory: string): DoctorCheck {
  const isGit = existsSync(join(directory, '.git'));
  return {
    id: 'workspace',
    ok: statSync(directory, { throwIfNoEntry: false })?.isDirectory() === true,
    stops: true,
    why: `${basename(directory)}${isGit ? ', a git workspace' : ', not under git: works, but there is no git diff'}`,
  };
}

async function settingsCheck(context: Context): Promise<DoctorCheck> {
  try {
    const { sources, notes } = await loadSettings(context);
    const names = sources.map(({ name }) => name).join(', ');
    const noted = notes.length === 0 ? '' : `, ${notes.length} to look at: signalbox config list`;
    return { id: 'settings', ok: true, stops: true, why: `${names === '' ? 'all defaults' : names}${noted}` };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { id: 'settings', ok: false, stops: true, why, fix: 'signalbox config list   shows where' };
  }
}

function isolationChecks(isolation: Isolation | SandboxError): readonly DoctorCheck[] {
  if (!('layer' in isolation)) {
    return [
      {
        id: 'isolation',
        ok: false,
        stops: true,
        why: [isolation.message, ...isolation.why].join('; '),
        fix: isolation.next[0] ?? 'apt-get install bubblewrap',
      },
    ];
  }
  const measures: readonly (readonly [string, Isolation['fs']])[] = [
    ['files', isolation.fs],
    ['network', isolation.net],
    ['processes', isolation.pid],
    ['system calls', isolation.syscalls],
    ['memory limit', isolation.limits.memory],
    ['cpu limit', isolation.limits.cpu],
    ['process limit', isolation.limits.processes],
    ['disk limit', isolation.limits.disk],
  ];
  const enforced = measures.filter(([, { strength }]) => strength === 'enforced').map(([name]) => name);
  const weaker = measures.filter(([, { strength }]) => strength !== 'enforced');
  return [
    {
      id: `isolation ${isolation.layer}`,
      ok: true,
      stops: true,
      why: `${enforced.join(', ')}: enforced, really tried`,
    },
    ...weaker.map(([id, { strength, why }]) => ({
      id,
      ok: false,
      stops: false,
      why: `${strength}, not enforced${why === undefined ? '' : `: ${why}`}`,
    })),
  ];
}

function keysCheck(env: Context['env']): DoctorCheck {
  const found = keysFound(env);
  return {
    id: 'API keys',
    ok: found.length > 0,
    stops: false,
    why:
      found.length > 0
        ? found.join(', ')
        : 'none in the environment: the demo and a local model work without',
    fix: 'export OPENAI_API_KEY=…   (or ANTHROPIC_API_KEY, DEEPSEEK_API_KEY)',
  };
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
