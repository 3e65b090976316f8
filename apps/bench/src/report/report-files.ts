import { access, constants, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { UsageError } from '@signalbox/core';
import { BenchReport } from './bench-report.ts';

/** Absolute paths of a report's files; undefined: not kept. */
export type ReportFiles = Readonly<{ json: string | undefined; page: string | undefined }>;

/**
 * Checks that a report can be written there, before a run whose numbers would be lost.
 *
 * @throws {UsageError} `no-folder`, `is-folder`
 */
export async function checkReportFiles({ json, page }: ReportFiles): Promise<void> {
  for (const file of [json, page]) {
    if (file === undefined) continue;
    const existing = await stat(file).catch(() => null);
    if (existing?.isDirectory() === true)
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
  await writeFile(page, await htmlReport(report));
}

/** @throws {UsageError} `no-report` */
export async function readReport(file: string, cwd: string): Promise<BenchReport> {
  const text = await readFile(resolve(cwd, file), 'utf8').catch((cause: unknown) => {
    throw new UsageError('no-report', `Cannot read "${file}": there is no such file`, { cause });
  });
  const parsed = BenchReport.safeParse(parseJson(text));
  if (parsed.success) return parsed.data;
  throw new UsageError('no-report', `Cannot compare "${file}": it is no report of signalbox bench`, {
    next: ['signalbox bench mixed --save a.json'],
  });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
