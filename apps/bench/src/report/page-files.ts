import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';

type PageFile = 'page.css' | 'page.js' | 'uPlot.min.css' | 'uPlot.iife.min.js';

/** The files that the page of a report contains, where they are in the sources. */
const pageFiles: Readonly<Record<PageFile, () => URL>> = {
  'page.css': () => new URL('./page/page.css', import.meta.url),
  'page.js': () => new URL('./page/page.js', import.meta.url),
  'uPlot.min.css': () => new URL(import.meta.resolve('uplot/dist/uPlot.min.css')),
  'uPlot.iife.min.js': () => new URL(import.meta.resolve('uplot/dist/uPlot.iife.min.js')),
};

/** The build of the program puts all of them in this folder beside itself. */
const BUILT = new URL('./bench-report/', import.meta.url);

export async function readPageFiles(): Promise<Readonly<Record<PageFile, string>>> {
  const files = Object.entries(pageFiles).map(async ([name, source]) => {
    const built = new URL(name, BUILT);
    // A build has no libraries to read the source from.
    return [name, await readFile(existsSync(built) ? built : source(), 'utf8')];
  });
  return Object.fromEntries(await Promise.all(files)) as Record<PageFile, string>;
}
