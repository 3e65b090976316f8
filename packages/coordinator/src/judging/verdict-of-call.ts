import type { Effect, Files, JsonObject, NamedFiles, Tool, Verdict, WorkspaceLines } from '@signalbox/core';
import { classifyLine, type HostsOfSource, verdictOfTool, withProjectHosts } from '@signalbox/policy';

/** What the verdict on a call depends on. */
export type VerdictParts = {
  readonly files: Pick<Files, 'normalise' | 'targetOf'>;
  /** Absolute. */
  readonly workspace: string;
  readonly home: string | undefined;
  readonly lines: WorkspaceLines;
  /** Absolute folders that are currently private to every shell line. Default none. */
  readonly ownFolders?: readonly string[] | undefined;
  /** The hosts that the project's files currently name for a source. Default: unknown. */
  readonly projectHosts?: HostsOfSource | undefined;
  /**
   * Workspace files that a person's programs currently read as settings or code, in addition to those known by name.
   * Default none.
   */
  readonly namedFiles?: (() => NamedFiles) | undefined;
  /** The current first line of a workspace file, by its absolute path. Default: unknown. */
  readonly firstLineOf?: ((path: string) => string | undefined) | undefined;
};

/**
 * What a call would do: the classifier's answer for a shell line, and the effects that the tool declares.
 *
 * @throws {ToolFailure} when its shell line can't be built because configuration is missing.
 */
export function verdictOfCall(tool: Tool, args: JsonObject, parts: VerdictParts): Verdict {
  const { workspace, home, lines, files, ownFolders = [] } = parts;
  const declared = tool.effects(args).map((effect) => normalised(effect, files));
  const shell = tool.shellLine?.(args, lines);
  if (shell === undefined)
    return verdictOfTool(
      tool,
      declared.flatMap((effect) => withTarget(effect, files)),
      parts.namedFiles,
    );
  const cwd = shell.cwd === undefined ? workspace : `${workspace}/${files.normalise(shell.cwd)}`;
  const verdict = classifyLine(shell.line, {
    cwd,
    workspace,
    ownFolders,
    firstLineOf: parts.firstLineOf,
    namedFiles: parts.namedFiles,
    ...(home === undefined ? {} : { home }),
  });
  const reported = parts.projectHosts === undefined ? verdict : withProjectHosts(verdict, parts.projectHosts);
  return { ...reported, effects: [...reported.effects, ...declared] };
}

/** A read through a link is also judged by the link's target. */
function withTarget(effect: Effect, files: Pick<Files, 'targetOf'>): readonly Effect[] {
  if (effect.kind !== 'read' || effect.scope !== 'file') return [effect];
  const target = files.targetOf(effect.path);
  return target === null || target === effect.path ? [effect] : [effect, { ...effect, path: target }];
}

/** Effects name paths as the arguments do; policy and leases need one canonical name for each. */
function normalised(effect: Effect, files: Pick<Files, 'normalise'>): Effect {
  const { kind } = effect;
  if ((kind !== 'read' && kind !== 'write' && kind !== 'delete') || effect.scope === 'glob') return effect;
  return { ...effect, path: files.normalise(effect.path) };
}
