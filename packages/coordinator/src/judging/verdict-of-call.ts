import type { Effect, Files, JsonObject, NamedFiles, Tool, Verdict } from '@signalbox/core';
import { classifyLine, type HostsOfSource, verdictOfTool, withProjectHosts } from '@signalbox/policy';

/** What the verdict on a call is made with. */
export type VerdictParts = {
  readonly files: Pick<Files, 'normalise' | 'targetOf'>;
  /** Absolute. */
  readonly workspace: string;
  readonly home: string | undefined;
  readonly lines: { readonly tests: string | null; readonly lint: string | null };
  /** Absolute folders that every shell line has to itself now. Default none. */
  readonly ownFolders?: readonly string[] | undefined;
  /** The hosts that the project's own files name for a source now. Default: nobody looks. */
  readonly projectHosts?: HostsOfSource | undefined;
  /** What of the workspace programs of the person read as settings or code now, besides what its name says. Default none. */
  readonly namedFiles?: (() => NamedFiles) | undefined;
  /** The first line of a file of the workspace now, by its absolute path. Default: nobody looks. */
  readonly firstLineOf?: ((path: string) => string | undefined) | undefined;
};

/**
 * What a call would do: the classifier's answer for a shell line, and the effects that the tool declares.
 *
 * @throws {ToolFailure} when its shell line can't be made, for want of configuration.
 */
export function verdictOfCall(tool: Tool, args: JsonObject, parts: VerdictParts): Verdict {
  const { workspace, home, lines, files, ownFolders = [] } = parts;
  const declared = tool.effects(args).map((effect) => normalised(effect, files));
  const shell = tool.shellLine?.(args, lines);
  const named = parts.namedFiles?.();
  if (shell === undefined)
    return verdictOfTool(
      tool,
      declared.flatMap((effect) => withTarget(effect, files)),
      named,
    );
  const cwd = shell.cwd === undefined ? workspace : `${workspace}/${files.normalise(shell.cwd)}`;
  const verdict = classifyLine(shell.line, {
    cwd,
    workspace,
    ownFolders,
    firstLineOf: parts.firstLineOf,
    ...(named === undefined ? {} : { named }),
    ...(home === undefined ? {} : { home }),
  });
  const reported = parts.projectHosts === undefined ? verdict : withProjectHosts(verdict, parts.projectHosts);
  return { ...reported, effects: [...reported.effects, ...declared] };
}

/** What is read through a link is judged by where that leads, too. */
function withTarget(effect: Effect, files: Pick<Files, 'targetOf'>): readonly Effect[] {
  if (effect.kind !== 'read' || effect.scope !== 'file') return [effect];
  const target = files.targetOf(effect.path);
  return target === null || target === effect.path ? [effect] : [effect, { ...effect, path: target }];
}

/** Effects name paths as the arguments do; policy and leases need the one name of each. */
function normalised(effect: Effect, files: Pick<Files, 'normalise'>): Effect {
  const { kind } = effect;
  if ((kind !== 'read' && kind !== 'write' && kind !== 'delete') || effect.scope === 'glob') return effect;
  return { ...effect, path: files.normalise(effect.path) };
}
