import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { packageRules } from '../architecture.ts';

const PAGES = [
  ...readdirSync('.').filter((name) => name.endsWith('.md')),
  ...readdirSync('docs', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name)),
  ...readdirSync('packages')
    .map((name) => join('packages', name, 'README.md'))
    .filter((page) => existsSync(page)),
];

test('every file that a page names exists', () => {
  const missing = PAGES.flatMap((page) =>
    pathsIn(page)
      .filter((path) => !existsSync(path) && packageRules[path] === undefined)
      .map((path) => `${page}: ${path}`),
  );
  expect(missing).toEqual([]);
});

test('every link between pages has a target', () => {
  const broken = PAGES.flatMap((page) =>
    linksIn(page)
      .filter(({ target }) => !leads(page, target))
      .map(({ target }) => `${page}: ${target}`),
  );
  expect(broken).toEqual([]);
});

test('no page names a path of the machine on which it was written', () => {
  const named = PAGES.filter((page) => /\/(?:home|root|Users|work)\/[a-z]/.test(textOf(page)));
  expect(named).toEqual([]);
});

/** Text in backticks that begins with a folder of this repository; a package may be named before its folder exists. */
function pathsIn(page: string): string[] {
  const lines = textOf(page).split('\n');
  return lines.flatMap((line) =>
    [...line.matchAll(/`((?:packages|apps|scripts|docs)\/[\w./-]+)`/g)].map(([, path = '']) => path),
  );
}

function linksIn(page: string): { target: string }[] {
  const prose = textOf(page)
    .replaceAll(/```[^]*?```/g, '')
    .replaceAll(/`[^`\n]*`/g, '');
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => ({ target }))
    .filter(({ target }) => !/^[a-z]+:/.test(target));
}

function leads(page: string, target: string): boolean {
  const [path = '', anchor] = target.split('#');
  const file = path === '' ? page : join(dirname(page), path);
  if (!existsSync(file)) return false;
  if (anchor === undefined || statSync(file).isDirectory()) return true;
  return headingsOf(file).includes(anchor);
}

/** Anchors as GitHub generates them. */
function headingsOf(page: string): string[] {
  return [...textOf(page).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

function textOf(page: string): string {
  return readFileSync(page, 'utf8');
}
