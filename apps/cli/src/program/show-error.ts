import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UsageError } from '@signalbox/core';
import { renderLine } from '../terminal/render.ts';
import { terminalFacts } from '../terminal/terminal.ts';
import { errorView } from '../views/error-view.ts';
import { type ErrorReport, errorDocument, errorReport } from '../runtime/contract/error-report.ts';
import type { GlobalFlags } from '../runtime/contract/global-flags.ts';

type Host = NodeJS.Process;

/**
 * Reports an error on standard error, with `--json` also as a document on standard output, and returns its exit code.
 */
export function reportError(host: Host, error: unknown, flags: GlobalFlags): number {
  const found = errorReport(error);
  const report = found.code === 'invariant' ? withReportFile(host, found) : found;
  const { stderr, ascii } = terminalFacts(host, flags);
  const rendering = { colour: stderr.colour, ascii, width: Infinity };
  const text = errorView(report, flags.verbose, { width: stderr.width }).map((line) =>
    renderLine(line, rendering),
  );
  host.stderr.write(`${text.join('\n')}\n`);
  if (flags.json) host.stdout.write(`${JSON.stringify(errorDocument(report))}\n`);
  return report.exit;
}

/** Reports an invalid command line; nothing was run. */
export function reportMistake(
  host: Host,
  flags: GlobalFlags,
  mistake: Readonly<{ message: string; why: readonly string[]; next: readonly string[] }>,
): number {
  return reportError(host, new UsageError('usage', mistake.message, mistake), flags);
}

/** A bug writes a file with its stack, since the screen shows none. */
function withReportFile(host: Host, report: ErrorReport): ErrorReport {
  const file = join(tmpdir(), `signalbox-report-${host.pid}-${Date.now()}.txt`);
  const lines = [
    report.message,
    ...report.causes,
    report.stack ?? '',
    `node ${host.version} ${host.platform} ${host.arch}`,
    `subcommand ${host.argv[2] ?? ''}`,
  ];
  try {
    writeFileSync(file, `${lines.join('\n')}\n`, { mode: 0o600 });
  } catch {
    return report;
  }
  return { ...report, next: [...report.next, `please report it with ${file}`] };
}
