import {
  type CallPreview,
  type Clock,
  type CommandRecord,
  type Effect,
  type Files,
  type PlannedStep,
  type PreviewPart,
  SignalboxError,
  type Tool,
} from '@signalbox/core';
import { planLine } from '@signalbox/policy';
import { lookUpStep } from './look-up-step.ts';
import { baseOfPattern } from './pattern-base.ts';
import type { PreviewParts } from './preview-parts.ts';
import { titleOf } from './preview-title.ts';
import { undoForecast } from './undo-forecast.ts';

/** Time limit per part; a part that exceeds it says so. */
const MAX_PART_MS = 5000;
const MAX_REMOVALS = 10;
const MAX_HOSTS = 20;

/** What each part of a call would do, ignoring the other parts. Runs none of it. Not redacted. */
export async function previewCall(
  record: Pick<CommandRecord, 'call' | 'verdict'>,
  tool: Tool,
  parts: PreviewParts,
): Promise<Omit<CallPreview, 'neighbours'>> {
  const { args } = record.call;
  const effects = record.verdict?.effects ?? [];
  const shell = tool.shellLine?.(args, parts.lines);
  const plan =
    shell === undefined
      ? await planOfTool(tool, args, parts)
      : planLine(shell.line, parts.files.normalise(shell.cwd ?? '.'));
  const bounded = (what: string, compute: () => Promise<readonly PreviewPart[]>) =>
    inTime(what, compute, parts.clock);

  const removals = await Promise.all(
    pathsToRemove(effects).map((deleted) =>
      bounded(`what ${deleted.path} holds`, () => removalOf(deleted, parts)),
    ),
  );
  const steps = await Promise.all(
    plan.steps.map(async (step) => ({
      step,
      parts: await bounded(WHAT[step.kind], () => lookUpStep(step, parts)),
    })),
  );
  const removed = removals.flat();
  const isOvertaken = effects.some(({ kind }) => CHANGES.has(kind));
  return {
    title: titleOf({
      removals: removed.filter((part) => part.kind === 'removal'),
      steps,
      isOvertaken,
      others: plan.others,
      fallback: fallbackTitle(tool, plan.others, record),
    }),
    parts: [
      ...removed,
      ...steps.flatMap(({ step, parts: found }) => (isOvertaken ? found.map(asOfNow(step)) : found)),
      ...(tool.origin === undefined && !steps.some(({ step }) => step.kind === 'push')
        ? hostsPart(effects)
        : []),
    ],
    undo: undoForecast(tool, effects, {
      steps: plan.steps,
      transactional: parts.transactional,
      kept: parts.settings.execution,
    }),
  };
}

/** Effects on files that a commit or push of the same line may include. */
const CHANGES: ReadonlySet<Effect['kind']> = new Set(['write', 'delete', 'write-unknown', 'repository-code']);

/** Git's current content differs from what it takes after the rest of the line has changed files. */
function asOfNow({ kind }: PlannedStep): (part: PreviewPart) => PreviewPart {
  return (part) =>
    (kind === 'commit' || kind === 'stage') && part.kind === 'diff' ? { ...part, isOvertaken: true } : part;
}

const WHAT: Readonly<Record<PlannedStep['kind'], string>> = {
  change: 'the change',
  'no-plan': 'the change',
  stage: 'what would be staged',
  commit: 'what would be committed',
  push: 'what would be pushed',
  'run-file': 'the script',
  'run-package-script': 'the package script',
};

async function planOfTool(tool: Tool, args: CommandRecord['call']['args'], { files }: PreviewParts) {
  if (tool.plan === undefined) return { steps: [], others: [] };
  // The port's other methods would change something.
  const step = await tool.plan(args, { files: files as Files }).catch(() => null);
  return { steps: step === null ? [] : [step], others: [] };
}

async function inTime(
  what: string,
  compute: () => Promise<readonly PreviewPart[]>,
  clock: Clock,
): Promise<readonly PreviewPart[]> {
  let cancel = (): void => undefined;
  const late = new Promise<readonly PreviewPart[]>((resolve) => {
    const why = `it took longer than ${MAX_PART_MS / 1000} s`;
    cancel = clock.timer(MAX_PART_MS, () => resolve([{ kind: 'unavailable', what, why }]));
  });
  const found = compute().catch((error: unknown): readonly PreviewPart[] => {
    const why = error instanceof SignalboxError ? error.message : 'of a Signalbox bug';
    return [{ kind: 'unavailable', what, why }];
  });
  return Promise.race([found, late]).finally(cancel);
}

type DeletedPath = Extract<Effect, { kind: 'delete' }>;

function pathsToRemove(effects: readonly Effect[]): readonly DeletedPath[] {
  const all = effects.filter((effect) => effect.kind === 'delete');
  return [...new Map(all.map((deleted) => [deleted.path, deleted])).values()].slice(0, MAX_REMOVALS);
}

async function removalOf(
  deleted: DeletedPath,
  { inspector, files }: PreviewParts,
): Promise<readonly PreviewPart[]> {
  if (deleted.scope !== 'glob') {
    const removal = await inspector.removal({ path: files.normalise(deleted.path) });
    return removal === null ? [] : [{ kind: 'removal', ...removal }];
  }
  const pattern = baseOfPattern(deleted.path, files);
  if (pattern === undefined)
    return [{ kind: 'unavailable', what: deleted.path, why: 'the pattern can’t be read' }];
  const removal = await inspector.removal({ path: pattern.folder, isMeant: pattern.isMeant });
  return removal === null || removal.files === 0 ? [] : [{ kind: 'removal', ...removal, path: deleted.path }];
}

function hostsPart(effects: readonly Effect[]): readonly PreviewPart[] {
  const network = effects.filter((effect) => effect.kind === 'network');
  if (network.length === 0) return [];
  const hosts = [...new Set(network.flatMap(({ host }) => host ?? []))].slice(0, MAX_HOSTS);
  return [{ kind: 'hosts', hosts, isOpen: network.some(({ host }) => host === undefined) }];
}

/** `Run npm ci`, `Call create_issue of github`. */
function fallbackTitle(
  tool: Tool,
  others: readonly string[] | null,
  { call, verdict }: Pick<CommandRecord, 'call' | 'verdict'>,
): string {
  if (tool.origin !== undefined) return `Call ${tool.origin.tool} of ${tool.origin.server}`;
  if (tool.shellLine === undefined) return `Call ${call.tool}`;
  const effects = verdict?.effects ?? [];
  const network = effects.some(({ kind }) => kind === 'network') ? ', with network access' : '';
  // Nothing is there now; there may be when the line runs.
  const deleted = pathsToRemove(effects).map(({ path }) => path);
  const deletes = deleted.length === 0 ? '' : `, delete ${shortList(deleted)}`;
  const run = others === null || others.length === 0 ? 'Run a shell line' : `Run ${shortList(others)}`;
  return `${run}${deletes}${network}`;
}

function shortList(all: readonly string[]): string {
  const shown = all.slice(0, 3).join(', ');
  return all.length > 3 ? `${shown} and ${all.length - 3} more` : shown;
}
