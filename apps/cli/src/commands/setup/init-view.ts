import type { FileWrites, Isolation, SandboxError } from '@signalbox/core';
import type { StartHosts } from '../rules/agree-at-start.ts';
import { column } from '../../terminal/cells.ts';
import type { PresetName } from './preset-settings.ts';
import type { Trial } from './try-tests.ts';
import { as, type Line, line, muted, type Piece } from '../../terminal/line.ts';
import { duration } from '../../terminal/render-context.ts';
import { LOCAL_FILE } from '../../runtime/settings/settings-files.ts';
import { SHARED_FILE } from '../../runtime/workspace/state-folder.ts';

/** What `signalbox init` found and wrote. */
export type SetUp = Readonly<{
  /** The workspace, if it is not the user's current folder. */
  workspace: string | null;
  /** Providers whose key is in the environment. */
  providers: readonly string[];
  tests: string | null;
  preset: PresetName | null;
  /** Names of the written files. */
  written: readonly string[];
  /** The user's choice; null if they had a file already. */
  fileWrites: FileWrites | null;
  isolation: Isolation | SandboxError;
  /** Null if the project names no hosts. */
  network: StartHosts | null;
  /** Null if the tests were not run. */
  trial: Trial | null;
  /** Whether a model server on this machine responds. */
  hasOllama: boolean;
  imported: Readonly<{ name: string; rules: number; skipped: number }> | null;
}>;

const LABEL_WIDTH = 22;
const COMMAND_WIDTH = 47;

/** What was set up, and what to type next. */
export function initView(setUp: SetUp): readonly Line[] {
  const { providers, tests, written, isolation, imported } = setUp;
  const keys = providers.length === 0 ? 'no API keys found' : `${providers.join(', ')} (keys found)`;
  return [
    ...(setUp.workspace === null ? [] : [found('workspace', setUp.workspace)]),
    found(SHARED_FILE, `${keys} · tests: ${tests ?? 'none found'}`),
    ...(setUp.preset === null ? [] : [found('preset', setUp.preset)]),
    ...(written.includes(LOCAL_FILE) ? [found(LOCAL_FILE, localText(setUp.fileWrites))] : []),
    ...(imported === null
      ? []
      : [found('rules', `${imported.rules} from ${imported.name}, ${imported.skipped} left out`)]),
    ...(written.includes('.gitignore') ? [found('.gitignore', '+ .signalbox/')] : []),
    'layer' in isolation
      ? found('isolation', `${isolation.layer} (signalbox doctor: details)`)
      : line(
          as('danger', '✗'),
          ' ',
          column('isolation', LABEL_WIDTH),
          'no sandbox works here: see signalbox doctor',
        ),
    ...networkLines(setUp),
    ...trialLines(setUp),
    ...nextLines(setUp),
  ];
}

const FILE_WRITES: Readonly<Record<FileWrites, string>> = {
  when_reversible: 'file changes run if undo can revert them',
  ask: 'file changes always need approval',
  never: 'file changes never need approval',
};

function localText(choice: FileWrites | null): string {
  return choice === null ? 'yours' : `yours: ${FILE_WRITES[choice]}`;
}

function networkLines({ network }: SetUp): readonly Line[] {
  if (network === null) return [];
  const [first, ...more] = network.hosts;
  const hosts = `${first}${more.length === 0 ? '' : ` and ${more.length} more`}`;
  if (network.isAgreed) return [found('network', `installs and fetches from ${hosts} run without approval`)];
  return [open('network', 'installs and fetches need approval · ', as('accent', 'signalbox network allow'))];
}

function trialLines({ trial }: SetUp): readonly Line[] {
  if (trial === null) return [];
  return [
    trial.exitCode === 0 && trial.message === null
      ? found('tests', `passed (${neededBy(trial)})`)
      : open('tests', failedWith(trial)),
    ...(trial.needsNetwork
      ? [
          open('tests', 'need the network, which only installs and fetches have'),
          line('  ', column('', LABEL_WIDTH), 'To allow it for every line:'),
          below('signalbox config set sandbox.network.commands all'),
        ]
      : []),
    ...(trial.memory === null ? [] : memoryLines(trial.memory)),
  ];
}

function failedWith(trial: Trial): string {
  const { exitCode, message, durationMs } = trial;
  if (exitCode === NOT_FOUND) return `a program they start is missing: ${trial.line}`;
  if (exitCode !== null && exitCode > 0) return `failed with exit code ${exitCode} (${neededBy(trial)})`;
  return `${message}, after ${duration(durationMs)}`;
}

/** A shell's exit code for a program that it can't find. */
const NOT_FOUND = 127;

function neededBy({ durationMs, peakMemoryMb }: Trial): string {
  return `${duration(durationMs)}${peakMemoryMb === null ? '' : `, ${peakMemoryMb} MiB of memory`}`;
}

function memoryLines({ allowedMb, proposedMb, isRaised }: NonNullable<Trial['memory']>): readonly Line[] {
  if (isRaised) return [found('memory', `a command may use ${proposedMb} MiB (${allowedMb} before)`)];
  if (proposedMb === null) return [open('memory', `a command may use ${allowedMb} MiB, all of this machine`)];
  return [
    open('memory', `${allowedMb} MiB is too little for the tests. To raise the limit:`),
    below(`signalbox config set sandbox.resource_limits.max_memory_mb ${proposedMb}`),
  ];
}

/** Something the user may have to do. */
function open(what: string, ...text: readonly (string | Piece)[]): Line {
  return line(as('warn', '?'), ' ', column(what, LABEL_WIDTH), ...text);
}

/** The command that does it. */
function below(command: string): Line {
  return line('  ', as('accent', command));
}

function found(what: string, text: string): Line {
  return line(as('ok', '✓'), ' ', column(what, LABEL_WIDTH), text);
}

function nextLines({ providers, tests, hasOllama }: SetUp): readonly Line[] {
  const task = `signalbox run "${tests === null ? 'Add a test' : 'Make the tests pass'}"`;
  const steps: readonly (readonly [string, string])[] =
    providers.length > 0
      ? [[task, '']]
      : [
          ['export OPENAI_API_KEY=…', 'or ANTHROPIC_API_KEY, …'],
          [`${task} -p ollama`, hasOllama ? 'Ollama runs here' : 'a model on this machine'],
          ['signalbox connect claude-code', 'an agent of your account'],
        ];
  return steps.map(([command, text], at) =>
    line(muted(at === 0 ? 'Next: ' : '      '), column(command, COMMAND_WIDTH, { role: 'accent' }), text),
  );
}
