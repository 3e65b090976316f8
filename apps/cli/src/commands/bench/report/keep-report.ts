import { access, constants, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { UsageError } from '@signalbox/core';
import type { BenchReport } from './bench-report.ts';

/** Where a report is kept, absolute; undefined: not. */
export type ReportFiles = Readonly<{ json: string | undefined; page: string | undefined }>;

/**
 * Looks whether a report can be kept there, before a run whose numbers would be lost.
 *
 * @throws {UsageError} `no-folder`, `is-folder`
 */
export async function checkReportFiles({ json, page }: ReportFiles): Promise<void> {
  for (const file of [json, page]) {
    if (file === undefined) continue;
    const standing = await stat(file).catch(() => null);
    if (standing?.isDirectory() === true)
      throw new UsageError('is-folder', `Cannot keep the report as "${file}": a folder stands there`, {
        next: [`name a file in it: ${join(file, 'report')}`],
      });
    const folder = dirname(file);
    await access(folder, constants.W_OK).catch((cause: unknown) => {
      throw new UsageError('no-folder', `Cannot keep the report as "${file}"`, {
        cause,
        why: [`there is no folder "${folder}" that can be written to`],
      });
    });
  }
}

export async function keepReport(report: BenchReport, { json, page }: ReportFiles): Promise<void> {
  if (json !== undefined) await writeFile(json, `${JSON.stringify(report)}\n`);
  if (page === undefined) return;
  const { htmlReport } = await import('./html-report.ts');
  const { readPageParts } = await import('./page-parts.ts');
  await writeFile(page, htmlReport(report, await readPageParts()));
}
