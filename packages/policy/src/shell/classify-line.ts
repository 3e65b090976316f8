import type { NamedFiles, Verdict } from '@signalbox/core';
import { type WorkBudget, createBudget, WorkBudgetError } from './budget.ts';
import { parseLine } from './syntax/parse.ts';
import { absolutePath, type LineContext, UNKNOWN_HOME } from './paths/paths.ts';
import { createReport, type Report } from './report/report.ts';
import { type Start, walkLine } from './walk/walk.ts';

export type ClassifyOptions = Readonly<{
  /** Directory the line starts in: absolute, or relative to the workspace. Default: the workspace. */
  cwd?: string;
  /** Absolute root of the workspace. Default: `cwd`, or `/workspace` without one. */
  workspace?: string;
  /** Absolute home directory of the user the line runs as. Default: one that only paths with `~` are in. */
  home?: string;
  /**
   * Absolute folders, such as `/tmp`, that the sandbox gives to each command new and empty: changes there have no
   * effect outside of it. Default none, which is right when this is unknown.
   */
  ownFolders?: readonly string[];
  /**
   * Files of the workspace that the user's programs read as settings or code, besides those known by name; asked for
   * if the line may change something. Default none.
   */
  namedFiles?: (() => NamedFiles) | undefined;
  /**
   * The first line of a file of the workspace, by its absolute path, to determine its interpreter. Default: not read.
   */
  firstLineOf?: ((path: string) => string | undefined) | undefined;
}>;

/**
 * Judges a shell line (GNU Bash): how dangerous it is, why, and what it would touch.
 *
 * Pure: nothing is run, and nothing read except by `firstLineOf`; symbolic links are not followed. The level is the
 * strictest over all commands at any depth. A part that can't be analysed is never `safe`. Never throws; lines over 16
 * KiB, brackets nested deeper than 32 and lines that take more than `MAX_STEPS` of work are not analysed and
 * `dangerous`.
 */
export function classifyLine(line: string, options: ClassifyOptions = {}): Verdict {
  return classifyWithin(createBudget(), line, options);
}

/** The same within a given budget, which reports afterwards how much work it was. */
export function classifyWithin(budget: WorkBudget, line: string, options: ClassifyOptions): Verdict {
  const report = createReport(budget);
  const lineContext = lineContextOf(options);
  const cwd = absolutePath(options.cwd ?? '.', lineContext.workspace);
  try {
    judge(line, { lineContext, cwd, budget }, report);
  } catch (error) {
    if (error instanceof WorkBudgetError) report.giveUp('too-long', 'is too complex to check in time');
    else report.giveUp('unparseable', "can't be analysed");
  }
  return report.verdict(options.namedFiles);
}

function judge(line: string, at: Start, report: Report): void {
  const { script, reasons } = parseLine(line);
  for (const { level, code, text } of reasons) report.raise(level, code, { text });
  if (reasons.length > 0) report.effect({ kind: 'write-unknown' });
  if (script === undefined) return;
  if (script.commands.length === 0) {
    report.raise('warning', 'empty', { text: 'contains no command' });
  }
  walkLine(line, script, { at, report });
  if (report.sources.environment > 0 && report.sources.network > 0)
    report.raise('dangerous', 'leaks-environment', {
      text: 'prints the environment and uses the network',
    });
  // Bash reads `2>&-sudo id` as `2>&-`, then `sudo id`: judge it that way too.
  const pulled = line.replaceAll(/([<>]&-)(?=[^\s;|&<>()])/g, '$1 ');
  if (pulled === line) return;
  const again = parseLine(pulled);
  if (again.script !== undefined) walkLine(pulled, again.script, { at, report });
}

/** For a line of which nothing else is known: any folder will do, since no file is read. */
const DEFAULT_WORKSPACE = '/workspace';

function lineContextOf({ cwd, workspace, home, ownFolders = [], firstLineOf }: ClassifyOptions): LineContext {
  return {
    workspace: absolutePath(workspace ?? cwd ?? DEFAULT_WORKSPACE, '/'),
    home: home === undefined ? UNKNOWN_HOME : absolutePath(home, '/'),
    ownFolders,
    firstLineOf,
  };
}
