import type { CommandResult } from '@signalbox/core';
import { machineMemoryBytes, memoryLimitBytes } from '@signalbox/sandbox';
import { loadDraft } from '../../runtime/rules/draft.ts';
import { openSettingsFile } from '../../runtime/rules/settings-files.ts';
import { canAsk } from '../../live/ask-yes.ts';
import type { Context } from '../../runtime/contract/context.ts';
import { accessTo } from '../../client/readers/with-coordinator.ts';
import { executeLine } from '../../live/run/execute-line.ts';
import { as, line } from '../../terminal/line.ts';
import { changedYaml } from '../../runtime/settings/changed-yaml.ts';
import { loadSettings } from '../../runtime/settings/load-settings.ts';

/** Error texts of programs without a network: resolvers, curl, git, Node.js and Python. */
const NO_NETWORK =
  /EAI_AGAIN|ENOTFOUND|ENETUNREACH|could not resolve host|temporary failure in name resolution|name or service not known|network is unreachable/i;

/** The result of one run of the test line, and what it needed. */
export type Trial = Readonly<{
  line: string;
  outcome: CommandResult['outcome']['kind'];
  exitCode: number | null;
  /** Why it failed; null if it passed. */
  message: string | null;
  durationMs: number;
  /** Null if not measured. */
  peakMemoryMb: number | null;
  needsNetwork: boolean;
  /** The memory limit of commands, if the tests come near it. */
  memory: MemoryLimit | null;
}>;

type MemoryLimit = Readonly<{
  allowedMb: number;
  /** A limit with enough space for them; null if the machine has no more. */
  proposedMb: number | null;
  isRaised: boolean;
}>;

const MIB = 1024 ** 2;
/** Share of the limit: above it the next test may be one too many. */
const NEAR = 0.75;
const STEP_MB = 256;

/**
 * Runs the tests of a newly set up workspace once, in the sandbox, after the user agrees or with `isWanted`. Null if
 * they did not run: no prompt, a no, or a workspace in use.
 */
export async function tryTests(
  { tests, isWanted }: { readonly tests: string; readonly isWanted: boolean },
  context: Context,
): Promise<Trial | null> {
  if (
    !isWanted &&
    !(await says(`Run the tests once in the sandbox, to see what they need (${tests})?`, context))
  )
    return null;
  // The line was found for the root of the workspace, whatever the user's folder.
  const atTop = { ...context, cwd: context.directory };
  try {
    const { settings } = await loadSettings(context);
    const { max_memory_mb, timeout_ms } = settings.sandbox.resource_limits;
    const access = await accessTo(atTop, { what: 'run the tests', start: true });
    context.say([line('Running ', as('bold', tests), '; Ctrl-C stops it, and the workspace stays set up')]);
    const asks = canAsk(context) && !context.flags.json;
    const request = { shellLine: tests, timeout: timeout_ms, asks, toStderr: true };
    const result = await executeLine(request, access, atTop);
    const { outcome, exitCode, durationMs, usage } = result;
    const peak = usage?.peakMemoryBytes ?? null;
    const allowed = max_memory_mb === null ? memoryLimitBytes() : max_memory_mb * MIB;
    return {
      line: tests,
      outcome: outcome.kind,
      exitCode,
      message: outcome.kind === 'completed' ? null : outcome.failure.message,
      durationMs,
      peakMemoryMb: peak === null ? null : Math.ceil(peak / MIB),
      needsNetwork: needsNetwork(result),
      memory: peak === null || peak < allowed * NEAR ? null : await raiseLimit(allowed, peak, context),
    };
  } catch (error) {
    // The workspace is set up, whether or not its tests run.
    context.reportError(error);
    return null;
  }
}

/** Proposes a limit with enough space for the tests; written into the user's own file if they agree. */
async function raiseLimit(allowed: number, peak: number, context: Context): Promise<MemoryLimit> {
  const allowedMb = Math.floor(allowed / MIB);
  const roomy = Math.ceil((2 * Math.max(allowed, peak)) / MIB / STEP_MB) * STEP_MB;
  const proposedMb = Math.min(roomy, Math.floor(machineMemoryBytes() / MIB));
  if (proposedMb <= allowedMb) return { allowedMb, proposedMb: null, isRaised: false };
  const used = `The tests used ${Math.ceil(peak / MIB)} MiB of memory, and a command may use ${allowedMb} MiB.`;
  const isRaised = await says(`${used} Raise the limit to ${proposedMb} MiB?`, context);
  if (isRaised) await storeLimit(proposedMb, context);
  return { allowedMb, proposedMb, isRaised };
}

async function storeLimit(megabytes: number, context: Context): Promise<void> {
  const { name, path, text, write } = await openSettingsFile('local', context);
  const after = changedYaml(name, text ?? '', {
    path: ['sandbox', 'resource_limits', 'max_memory_mb'],
    value: megabytes,
  });
  await loadDraft('raise the limit', new Map([[path, after]]), context);
  await write(after);
}

/** Empty input is yes; without prompts it is no. */
async function says(question: string, context: Context): Promise<boolean> {
  if (!canAsk(context) || context.flags.json) return false;
  const answer = await context.askLine(`${question} [Y/n] `, new AbortController().signal);
  return answer !== null && /^(?:y(?:es)?)?$/i.test(answer.trim());
}

/** Whether a command failed with signs of missing network access. */
function needsNetwork({
  exitCode,
  network = [],
  stdout,
  stderr,
}: Pick<CommandResult, 'exitCode' | 'network' | 'stdout' | 'stderr'>): boolean {
  if (exitCode === 0) return false;
  return (
    network.some((use) => use.outcome === 'refused') || NO_NETWORK.test(stdout) || NO_NETWORK.test(stderr)
  );
}
