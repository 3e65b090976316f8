import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Mutant } from './read-report.ts';

/** Not dependencies of the workspace: everybody would install them, and few run this. */
export const STRYKER = ['@stryker-mutator/instrumenter@10.1.1', 'typed-inject@5.0.0'];

/** Of Stryker, only this is used: it builds all changes into a file, each switched on by its id. */
type Instrumenter = {
  instrument(
    files: readonly Readonly<{ name: string; content: string; mutate: boolean }>[],
    options: object,
  ): Promise<Readonly<{ files: readonly Readonly<{ content: string }>[]; mutants: readonly Mutant[] }>>;
};
type Injector = {
  provideValue(name: string, value: object): Injector;
  injectFunction(create: unknown): Instrumenter;
};

/** A function that builds all changes into the code of a file; Stryker is loaded from this folder. */
export async function openInstrumenter(folder: string) {
  const require = createRequire(join(folder, 'package.json'));
  const load = async (name: string): Promise<unknown> => import(pathToFileURL(require.resolve(name)).href);
  const { createInstrumenter } = (await load('@stryker-mutator/instrumenter')) as {
    createInstrumenter: unknown;
  };
  const { createInjector } = (await load('typed-inject')) as { createInjector: () => Injector };
  const silent = () => undefined;
  const logger = { debug: silent, info: silent, warn: console.warn, isDebugEnabled: () => false };
  const injector = createInjector().provideValue('logger', logger).provideValue('options', {});
  const instrumenter = injector.injectFunction(createInstrumenter);

  return async (
    file: string,
    content: string,
  ): Promise<Readonly<{ code: string; changes: readonly Mutant[] }>> => {
    const options = { plugins: null, ignorers: [], excludedMutations: [] };
    const { files, mutants } = await instrumenter.instrument(
      [{ name: file, content, mutate: true }],
      options,
    );
    const [changed] = files;
    if (changed === undefined) throw new Error(`Stryker returned no code for ${file}`);
    return { code: `// @ts-nocheck\n${changed.content}`, changes: mutants.map(fromOne) };
  };
}

/** Its reports count lines and columns from 1, its instrumenter from 0. */
function fromOne(mutant: Mutant): Mutant {
  const { start, end } = mutant.location;
  const next = ({ line, column }: typeof start) => ({ line: line + 1, column: column + 1 });
  return { ...mutant, location: { start: next(start), end: next(end) } };
}
