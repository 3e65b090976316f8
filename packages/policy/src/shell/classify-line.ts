import type { Verdict } from '@signalbox/core';
import { parseLine } from './parse.ts';
import { absolutePath, type Ground, UNKNOWN_HOME } from './paths.ts';
import { createReport, type Report } from './report.ts';
import { walkLine } from './walk.ts';

export type ClassifyOptions = Readonly<{
  /** Directory the line starts in: absolute, or relative to the workspace. */
  cwd: string;
  /** Absolute root of the workspace. Default: `cwd`. */
  workspace?: string;
  /** Absolute home directory of the user the line runs as. Default: one that no path lies in but by `~`. */
  home?: string;
}>;

/**
 * Judges a shell line (GNU Bash): how dangerous it is, why, and what it would touch.
 *
 * Pure: nothing is read or run, symbolic links are not followed. The level is the strictest over all
 * commands at any depth. What can't be analysed is never `safe`. Never throws; lines over 16 KiB and
 * brackets nested deeper than 32 are not analysed and `dangerous`.
 */
export function classifyLine(line: string, options: ClassifyOptions): Verdict {
  const report = createReport();
  try {
    judge(line, groundOf(options), report, absolutePath(options.cwd, options.workspace ?? '/'));
  } catch {
    report.raise('dangerous', 'unparseable', "can't be analysed");
    report.effect({ kind: 'write-unknown' });
  }
  return report.verdict();
}

function judge(line: string, ground: Ground, report: Report, cwd: string): void {
  const { script, reasons } = parseLine(line);
  for (const { level, code, text } of reasons) report.raise(level, code, text);
  if (reasons.length > 0) report.effect({ kind: 'write-unknown' });
  if (script === undefined) return;
  if (script.commands.length === 0) {
    report.raise('warning', 'empty', 'holds no command');
  }
  walkLine(line, script, { ground, cwd }, report);
  if (report.sources.environment > 0 && report.sources.network > 0)
    report.raise('dangerous', 'leaks-environment', 'prints the environment, and talks to the network');
  // Bash reads `2>&-sudo id` as `2>&-`, then `sudo id`: judge it that way too.
  const pulled = line.replaceAll(/([<>]&-)(?=[^\s;|&<>()])/g, '$1 ');
  if (pulled === line) return;
  const again = parseLine(pulled);
  if (again.script !== undefined) walkLine(pulled, again.script, { ground, cwd }, report);
}

function groundOf({ cwd, workspace, home }: ClassifyOptions): Ground {
  return {
    workspace: absolutePath(workspace ?? cwd, '/'),
    home: home === undefined ? UNKNOWN_HOME : absolutePath(home, '/'),
  };
}
