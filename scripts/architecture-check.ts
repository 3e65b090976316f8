import { isBuiltin } from 'node:module';
import { posix } from 'node:path';
import {
  emptyNames,
  fileKinds,
  packageRules,
  type PackageRule,
  processModules,
  programFolders,
} from '../architecture.ts';
import { importCircles } from './import-circles.ts';
import { type Import, type SourceFile, type SourceFacts, sourceFactsOf } from './source-facts.ts';

/** A file that breaks a rule of the repository, and how. */
export type Breach = Readonly<{ path: string; why: string }>;

type Source = SourceFile & {
  readonly folder: string;
  readonly rule: PackageRule;
  readonly facts: SourceFacts;
};

/**
 * Finds every breach of the rules in `architecture.ts`. Pure: the files come in as data.
 *
 * @param files Manifests (`packages/core/package.json`) and sources (`packages/core/src/leases/claim.ts`), their
 *   paths relative to the workspace.
 */
export function checkArchitecture(files: readonly SourceFile[]): Breach[] {
  const sources: Source[] = [];
  const breaches: Breach[] = [];

  for (const file of files) {
    const folder = file.path.split('/').slice(0, 2).join('/');
    const rule = packageRules[folder];
    if (rule === undefined) {
      breaches.push({ path: file.path, why: `stands in "${folder}", which architecture.ts does not know` });
    } else if (file.path.endsWith('/package.json')) {
      breaches.push(...manifestFaults(file.text, rule).map((why) => ({ path: file.path, why })));
    } else {
      sources.push({ ...file, folder, rule, facts: sourceFactsOf(file) });
    }
  }

  for (const source of sources) {
    const faults = [
      ...nameFaults(source.path),
      ...textFaults(source),
      ...source.facts.imports.flatMap((one) => importFaults(source, one)),
    ];
    breaches.push(...faults.map((why) => ({ path: source.path, why })));
  }
  return [...breaches, ...circleBreaches(sources), ...processBreaches(sources)];
}

function manifestFaults(text: string, rule: PackageRule): string[] {
  const manifest = JSON.parse(text) as Record<string, unknown>;
  const faults = manifest['name'] === rule.name ? [] : [`is not named "${rule.name}"`];
  const needed = new Set(
    ['dependencies', 'devDependencies'].flatMap((field) => Object.keys(manifest[field] ?? {})),
  );
  for (const name of rule.owns ?? []) {
    if (!isBuiltin(name) && !needed.has(name)) faults.push(`owns "${name}" and does not depend on it`);
  }
  for (const field of ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies']) {
    for (const name of Object.keys(manifest[field] ?? {})) {
      if (isWorkspaceName(name) && !mayImport(rule, name)) faults.push(`may not depend on "${name}"`);
    }
  }
  return faults;
}

function nameFaults(path: string): string[] {
  const faults: string[] = [];
  const [base = '', ...kinds] = posix
    .basename(path)
    .replace(/\.tsx?$/, '')
    .split('.');
  const words = [...posix.dirname(path).split('/'), base];
  if (!words.every((word) => /^[a-z0-9]+(-[a-z0-9]+)*$/.test(word)))
    faults.push('is not named in kebab-case');
  if (!kinds.every((kind) => fileKinds.includes(kind))) {
    faults.push(`has an unknown kind of file in its name; known are ${fileKinds.join(', ')}`);
  }
  const lastWord = base.split('-').at(-1) ?? '';
  if (emptyNames.includes(lastWord)) faults.push(`is named "${lastWord}", which names no idea`);
  return faults;
}

function textFaults({ path, text, facts }: Source): string[] {
  const faults: string[] = [];
  if (facts.exportsAll) faults.push('exports everything of another file (`export *`)');
  if (facts.readsEnvironment && !path.startsWith('apps/') && !isTest(path)) {
    faults.push('reads `process.env`, which only apps/ may');
  }
  for (const [line] of text.matchAll(/(?:oxlint|eslint)-disable.*/g)) {
    if (!/ -- \S/.test(line)) faults.push('switches a lint rule off without saying why (` -- reason`)');
  }
  return faults;
}

function importFaults(source: Source, { specifier }: Import): string[] {
  const { path, folder, rule } = source;
  if (specifier.startsWith('.')) {
    const target = resolve(path, specifier);
    if (!target.startsWith(`${folder}/`)) return [`leaves its package by "${specifier}"`];
    return isTest(path) || isTest(target) ? [] : upwardFaults(path, target);
  }
  const name = toModuleName(specifier);
  if (isWorkspaceName(name)) return mayImport(rule, name) ? [] : [`may not import "${name}"`];

  const faults: string[] = [];
  const owner = Object.keys(packageRules).find((other) => packageRules[other]?.owns?.includes(name));
  const excepted = isTest(path) && processModules.includes(name);
  if (owner !== undefined && owner !== folder && !excepted) {
    faults.push(`imports "${name}", which only ${owner} may`);
  }
  if (rule.runsInBrowser === true && isBuiltin(name) && !isTest(path)) {
    faults.push(`imports "${name}", which no browser has`);
  }
  return faults;
}

/** For the program, whose folders are ordered. */
function upwardFaults(path: string, target: string): string[] {
  const [from, to] = [floorOf(path), floorOf(target)];
  if (from === undefined || to === undefined || programFolders.indexOf(to) <= programFolders.indexOf(from))
    return [];
  return [`imports from "${to}", which stands above "${from}"`];
}

/** The innermost listed folder that contains a file. */
function floorOf(path: string): string | undefined {
  const source = 'apps/cli/src/';
  if (!path.startsWith(source)) return undefined;
  const folders = programFolders.filter((folder) => path.startsWith(`${source}${folder}/`));
  return folders.toSorted((a, b) => b.length - a.length)[0];
}

function circleBreaches(sources: readonly Source[]): Breach[] {
  const paths = new Set(sources.map(({ path }) => path));
  const edges = sources.map(({ path, facts }) => {
    const targets = facts.imports
      .filter(({ specifier }) => specifier.startsWith('.'))
      .map(({ specifier }) => resolve(path, specifier));
    return [path, targets.filter((target) => paths.has(target))] as const;
  });
  return importCircles(new Map(edges)).map((circle) => ({
    path: circle[0] ?? '',
    why: `stands in an import circle: ${circle.join(' → ')}`,
  }));
}

/** The files that may start processes, one for each module. */
function processBreaches(sources: readonly Source[]): Breach[] {
  return processModules.flatMap((name) => {
    const starters = sources.filter(
      ({ path, rule, facts }) =>
        !isTest(path) && rule.owns?.includes(name) === true && facts.imports.some(isRealImportOf(name)),
    );
    const why = `starts processes by "${name}", and so do others: ${starters.map(({ path }) => path).join(', ')}`;
    return starters.length > 1 ? starters.map(({ path }) => ({ path, why })) : [];
  });
}

function isRealImportOf(name: string): (one: Import) => boolean {
  return ({ specifier, typeOnly }) => !typeOnly && toModuleName(specifier) === name;
}

function mayImport(rule: PackageRule, name: string): boolean {
  return name === rule.name || rule.mayImport.some((folder) => packageRules[folder]?.name === name);
}

function isWorkspaceName(name: string): boolean {
  return name.startsWith('@signalbox/') || Object.values(packageRules).some((rule) => rule.name === name);
}

/** `@scope/name/subpath` to `@scope/name`, `fs/promises` to `node:fs`, `execa` to `execa`. */
function toModuleName(specifier: string): string {
  const depth = specifier.startsWith('@') ? 2 : 1;
  const name = specifier.split('/').slice(0, depth).join('/');
  return isBuiltin(specifier) && !name.startsWith('node:') ? `node:${name}` : name;
}

function resolve(from: string, specifier: string): string {
  return posix.join(posix.dirname(from), specifier);
}

/** Tests, measurements, and the testing entry points of packages. */
function isTest(path: string): boolean {
  return /\.(test|bench)\.tsx?$/.test(path) || /\/testing\//.test(path);
}
