import type { PlannedStep, PreviewPart } from '@signalbox/core';

type PartOf<Kind extends PreviewPart['kind']> = Extract<PreviewPart, { kind: Kind }>;

/** The inputs of a title: the parts by step, and programs without a part. */
export type Titled = {
  readonly removals: readonly PartOf<'removal'>[];
  readonly steps: readonly { readonly step: PlannedStep; readonly parts: readonly PreviewPart[] }[];
  /** Whether the rest of the line changes files, so that commits include more than they would now. */
  readonly isOvertaken: boolean;
  /** Null if the line can't be parsed reliably. */
  readonly others: readonly string[] | null;
  /** The title if nothing else is known of the call. */
  readonly fallback: string;
};

const MAX_PHRASES = 3;

/** `Delete 18 files under docs/Guides and force-push main to origin`. Always mentions that more happens. */
export function titleOf({ removals, steps, isOvertaken, others, fallback }: Titled): string {
  const phrases = [
    ...(removals.length === 0 ? [] : [removalPhrase(removals)]),
    ...steps.flatMap(({ step, parts }) => phraseOf(step, parts, { isOvertaken }) ?? []),
  ];
  if (phrases.length === 0) return fallback;
  const more = phrases.length - MAX_PHRASES;
  const all = [
    ...phrases.slice(0, MAX_PHRASES),
    ...(more > 0 ? [`${more} more steps`] : []),
    ...(others === null ? ['more that aren’t known beforehand'] : othersPhrase(others)),
  ];
  return capital(joined(all));
}

function joined(phrases: readonly string[]): string {
  const last = phrases.at(-1) ?? '';
  return phrases.length < 2 ? last : `${phrases.slice(0, -1).join(', ')} and ${last}`;
}

function othersPhrase(others: readonly string[]): readonly string[] {
  if (others.length === 0) return [];
  const shown = others.slice(0, 3).join(', ');
  return [`run ${others.length > 3 ? `${shown} and ${others.length - 3} more` : shown}`];
}

function removalPhrase(removals: readonly PartOf<'removal'>[]): string {
  const files = removals.reduce((sum, removal) => sum + removal.files, 0);
  const isCounted = removals.every((removal) => removal.isCounted);
  const count = `${isCounted ? '' : 'more than '}${counted(files, 'file')}`;
  const [only] = removals;
  if (removals.length > 1 || only === undefined) return `delete ${count} in ${removals.length} places`;
  if (!only.isFolder) return `delete ${only.path}`;
  return only.path === '.' ? `delete ${count} of the whole workspace` : `delete ${count} under ${only.path}`;
}

function phraseOf(
  step: PlannedStep,
  parts: readonly PreviewPart[],
  { isOvertaken }: Readonly<{ isOvertaken: boolean }>,
): string | undefined {
  const diff = parts.find((part) => part.kind === 'diff');
  switch (step.kind) {
    case 'change':
      return `${step.deed} ${step.path}`;
    case 'no-plan':
      return `${step.deed.slice(0, 1).toLowerCase()}${step.deed.slice(1)}`;
    case 'stage':
      return diff === undefined ? undefined : `stage ${counted(diff.fileCount, 'file')}`;
    case 'commit': {
      const what = diff === undefined || isOvertaken ? 'changes' : counted(diff.fileCount, 'file');
      if (step.isAmend) return `amend the last commit with ${what}`;
      return diff?.fileCount === 0 && !isOvertaken ? 'commit, with nothing staged' : `commit ${what}`;
    }
    case 'push':
      return pushPhrase(
        step,
        parts.filter((part) => part.kind === 'push'),
      );
    case 'run-file':
      return `run ${step.path}`;
    case 'run-package-script':
      return `run the package script "${step.name}"`;
  }
}

function pushPhrase(step: Extract<PlannedStep, { kind: 'push' }>, parts: readonly PartOf<'push'>[]): string {
  const verb = step.isForced ? 'force-push' : 'push';
  const [first] = parts;
  if (first === undefined)
    return step.isDelete ? 'delete a remote branch' : `${verb} to ${step.remote ?? 'the remote'}`;
  if (parts.length > 1 || step.also.length > 0) return `${verb} several refs to ${first.remote}`;
  switch (first.deed) {
    case 'delete':
      return `delete ${first.to} on ${first.remote}`;
    case 'overwrite':
      return `force-push ${first.to} to ${first.remote}`;
    case 'create':
      return `push the new branch ${first.to} to ${first.remote}`;
    case 'update':
      return `push ${counted(first.commitCount, 'commit')} to ${first.remote}/${first.to}`;
  }
}

function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`;
}

function capital(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}
