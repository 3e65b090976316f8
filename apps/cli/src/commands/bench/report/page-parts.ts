import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';

/** The text of what a report's page carries with it. */
export type PageParts = Readonly<{ style: string; script: string; plotStyle: string; plot: string }>;

/** Where the build puts all of them, beside the program. */
const BUILT = new URL('./bench-report/', import.meta.url);

export async function readPageParts(): Promise<PageParts> {
  return {
    style: await textOf('page.css', () => new URL('./page/page.css', import.meta.url)),
    script: await textOf('page.js', () => new URL('./page/page.js', import.meta.url)),
    plotStyle: await textOf('uPlot.min.css', () => new URL(import.meta.resolve('uplot/dist/uPlot.min.css'))),
    plot: await textOf(
      'uPlot.iife.min.js',
      () => new URL(import.meta.resolve('uplot/dist/uPlot.iife.min.js')),
    ),
  };
}

/** @param source Where it lies without a build; not asked for in one, whose libraries are not there. */
async function textOf(name: string, source: () => URL): Promise<string> {
  const built = new URL(name, BUILT);
  return readFile(existsSync(built) ? built : source(), 'utf8');
}
