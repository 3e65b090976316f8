import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { BRAND_WORDS } from './vocabulary.ts';

const SOURCE = fileURLToPath(new URL('../apps/dashboard/src', import.meta.url));
const files = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' });
const textOf = (file: string): string => readFileSync(join(SOURCE, file), 'utf8');

/** Words of an older dialect, besides those of the brand. */
const OLD_WORDS = [
  'track',
  'signal',
  'bead',
  'desk',
  'door',
  'told',
  'said',
  'journal',
  'gate',
  'rail',
  'car',
];

const modules = files.filter((file) => file.endsWith('.module.css')).toSorted();
const shared = files.filter((file) => file.startsWith('styles/') && file.endsWith('.css'));
const components = files.filter((file) => file.endsWith('.tsx'));

/** Class names in the selectors of a style sheet; `:global(…)` names those of the shared ones. */
function classesOf(css: string): { own: ReadonlySet<string>; shared: ReadonlySet<string> } {
  const selectors = css
    .replaceAll(/\/\*.*?\*\//gs, '')
    .replaceAll(/\{[^{}]*\}/g, '{}')
    .replaceAll(/@[^{};]+/g, '');
  const globals = [...selectors.matchAll(/:global\(([^)]*)\)/g)].map(([, inner]) => inner ?? '').join(' ');
  return {
    own: namesIn(selectors.replaceAll(/:global\([^)]*\)/g, '')),
    shared: namesIn(globals),
  };
}

function namesIn(selectors: string): ReadonlySet<string> {
  return new Set([...selectors.matchAll(/\.(-?[a-z_][\w-]*)/gi)].map(([, name]) => name ?? ''));
}

/** Of a component: the style sheets it imports, by the name it gives them. */
function importsOf(file: string): ReadonlyMap<string, string> {
  const found = textOf(file).matchAll(/^import (\w+) from '(\.[^']+\.module\.css)';$/gm);
  return new Map(
    [...found].map(([, name, path]) => [
      name ?? '',
      relative(SOURCE, join(SOURCE, dirname(file), path ?? '')),
    ]),
  );
}

const uses = components.flatMap((file) => {
  const text = textOf(file).replaceAll(/^ *\/\/.*$/gm, '');
  return [...importsOf(file)].map(([name, module]) => ({
    file,
    module,
    classes: [...text.matchAll(new RegExp(`\\b${name}\\['([^']+)'\\]`, 'g'))].map(([, used]) => used ?? ''),
    isPlain: [...text.matchAll(new RegExp(`\\b${name}\\b(?!\\['| from )`, 'g'))].length === 0,
  }));
});

const sharedClasses = new Set(shared.flatMap((file) => [...classesOf(textOf(file)).own]));

test('every class of a style module is used by a component that imports it', () => {
  const unused = modules.flatMap((module) => {
    const used = new Set(uses.filter((use) => use.module === module).flatMap(({ classes }) => classes));
    return [...classesOf(textOf(module)).own]
      .filter((name) => !used.has(name))
      .map((name) => `${module}: .${name}`);
  });
  expect(unused).toEqual([]);
});

test('every class that a component takes from a style module is declared there', () => {
  const missing = uses.flatMap(({ file, module, classes }) => {
    const declared = classesOf(textOf(module)).own;
    return classes.filter((name) => !declared.has(name)).map((name) => `${file}: ${name}`);
  });
  expect(missing).toEqual([]);
});

test('classes are taken by name, so that these checks see each', () => {
  expect(uses.filter(({ isPlain }) => !isPlain).map(({ file, module }) => `${file}: ${module}`)).toEqual([]);
});

test('every other class of a component is shared, and every shared class is used', () => {
  const used = new Set<string>();
  const unknown: string[] = [];
  for (const file of components) {
    // What a component takes from its modules is checked above.
    const text = textOf(file).replaceAll(/\$\{\w+\['[^']+'\]\}/g, '');
    for (const [, plain, template] of text.matchAll(/className=(?:"([^"]*)"|\{`([^`$]*)`\})/g)) {
      for (const name of (plain ?? template ?? '').split(/\s+/).filter(Boolean)) {
        if (!sharedClasses.has(name)) unknown.push(`${file}: ${name}`);
      }
    }
    for (const [literal] of text.matchAll(/(['"`])[^'"`\n]*\1/g)) {
      for (const name of literal.slice(1, -1).split(/\s+/)) used.add(name);
    }
  }
  for (const module of modules) {
    for (const name of classesOf(textOf(module)).shared) {
      if (!sharedClasses.has(name)) unknown.push(`${module}: .${name}`);
    }
  }
  expect(unknown).toEqual([]);
  expect([...sharedClasses].filter((name) => !used.has(name))).toEqual([]);
});

test('no class is named in the words of the brand', () => {
  const banned = new Set([...BRAND_WORDS, ...OLD_WORDS].flatMap((word) => [word, `${word}s`]));
  const found = [...modules, ...shared].flatMap((file) =>
    [...classesOf(textOf(file)).own]
      .filter((name) => name.split('-').some((word) => banned.has(word)))
      .map((name) => `${file}: .${name}`),
  );
  expect(found).toEqual([]);
});
