import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { packageRules, layers, programFolders } from './architecture.ts';
import { checkArchitecture } from './scripts/architecture-check.ts';
import type { SourceFile } from './scripts/source-facts.ts';

test('the repository breaks no rule', () => {
  const files = trackedFiles();
  expect(files.map(({ path }) => path)).toContain('packages/core/package.json');
  expect(files.map(({ path }) => path)).toContain('apps/cli/src/main.ts');
  expect(checkArchitecture(files)).toEqual([]);
});

test('every folder of the program has its place in the order', () => {
  const own = trackedFiles().flatMap(
    ({ path }) =>
      /^apps\/cli\/src\/(?!integration\/|testing\/)(.+)\/[^/]+$/.exec(path)?.[1]?.replace(/\/testing$/, '') ??
      [],
  );
  expect([...new Set(own)].toSorted()).toEqual(programFolders.toSorted());
});

test('every package imports only from lower layers, by the table (U-01)', () => {
  const height = (folder: string): number =>
    layers.findIndex((layer) => layer === packageRules[folder]?.layer);
  const upwards = Object.entries(packageRules).flatMap(([folder, { mayImport }]) =>
    mayImport.filter((other) => height(other) >= height(folder)).map((other) => [folder, other]),
  );
  expect(upwards).toEqual([]);
});

describe('a planted breach is found:', () => {
  const nothing = 'export const nothing = undefined;';

  test.for<{ breach: string; files: Record<string, string>; found: Record<string, string> }>([
    {
      breach: 'a library that imports another library',
      files: { 'packages/policy/src/a.ts': `import { b } from '@signalbox/tools';` },
      found: { 'packages/policy/src/a.ts': 'may not import "@signalbox/tools"' },
    },
    {
      breach: 'an import upwards, of a type, through a subpath',
      files: { 'packages/core/src/a.ts': `import type { B } from '@signalbox/coordinator/testing';` },
      found: { 'packages/core/src/a.ts': 'may not import "@signalbox/coordinator"' },
    },
    {
      breach: 'an import upwards inside a type',
      files: { 'packages/core/src/a.ts': `export type B = import('@signalbox/policy').B;` },
      found: { 'packages/core/src/a.ts': 'may not import "@signalbox/policy"' },
    },
    {
      breach: 'a lazy import upwards',
      files: { 'packages/core/src/a.ts': `export const b = () => import('signalbox');` },
      found: { 'packages/core/src/a.ts': 'may not import "signalbox"' },
    },
    {
      breach: 'a re-export of another library',
      files: { 'packages/embedded/src/a.ts': `export { b } from '@signalbox/redis';` },
      found: { 'packages/embedded/src/a.ts': 'may not import "@signalbox/redis"' },
    },
    {
      breach: 'a module that the table names and the manifest does not',
      files: {
        'packages/policy/package.json': JSON.stringify({
          name: '@signalbox/policy',
          dependencies: { re2js: 'catalog:' },
        }),
      },
      found: { 'packages/policy/package.json': 'owns "unbash" and does not depend on it' },
    },
    {
      breach: 'a manifest that depends on another library',
      files: {
        'packages/tools/package.json': JSON.stringify({
          name: '@signalbox/tools',
          devDependencies: { '@signalbox/sandbox': 'workspace:*' },
        }),
      },
      found: { 'packages/tools/package.json': 'may not depend on "@signalbox/sandbox"' },
    },
    {
      breach: 'a manifest under another name',
      files: { 'packages/tools/package.json': JSON.stringify({ name: '@signalbox/tool' }) },
      found: { 'packages/tools/package.json': 'is not named "@signalbox/tools"' },
    },
    {
      breach: 'a package that the table does not know',
      files: { 'packages/misc/src/a.ts': nothing },
      found: { 'packages/misc/src/a.ts': 'stands in "packages/misc", which architecture.ts does not know' },
    },
    {
      breach: 'a relative import of another package',
      files: { 'apps/cli/src/a.ts': `import { b } from '../../../packages/core/src/b.ts';` },
      found: { 'apps/cli/src/a.ts': 'leaves its package by "../../../packages/core/src/b.ts"' },
    },
    {
      breach: 'a view that imports a subcommand',
      files: {
        'apps/cli/src/views/a.ts': `import type { B } from '../commands/see/b.ts';`,
        'apps/cli/src/commands/see/b.ts': `import '../../views/c.ts'; import '../../main.ts';`,
      },
      found: {
        'apps/cli/src/views/a.ts': 'imports from "commands/see", which stands above "views"',
      },
    },
    {
      breach: 'an import circle of types',
      files: {
        'packages/core/src/a.ts': `import type { B } from './in/b.ts'; export type A = B;`,
        'packages/core/src/in/b.ts': `export type { A as B } from '../c.ts';`,
        'packages/core/src/c.ts': `import type { A } from './a.ts'; export type { A };`,
      },
      found: {
        'packages/core/src/a.ts':
          'stands in an import circle: packages/core/src/a.ts → packages/core/src/in/b.ts → ' +
          'packages/core/src/c.ts → packages/core/src/a.ts',
      },
    },
    {
      breach: 'a file name in camel case',
      files: { 'packages/core/src/claimLease.ts': nothing },
      found: { 'packages/core/src/claimLease.ts': 'is not named in kebab-case' },
    },
    {
      breach: 'a folder name with an underscore',
      files: { 'packages/core/src/my_ports/claim.ts': nothing },
      found: { 'packages/core/src/my_ports/claim.ts': 'is not named in kebab-case' },
    },
    {
      breach: 'an unknown kind of file',
      files: { 'packages/core/src/claim.service.ts': nothing },
      found: {
        'packages/core/src/claim.service.ts':
          'has an unknown kind of file in its name; known are machine, actor, tool, test, integration, bench, config',
      },
    },
    {
      breach: 'a name that names no idea',
      files: { 'packages/core/src/utils.ts': nothing },
      found: { 'packages/core/src/utils.ts': 'is named "utils", which names no idea' },
    },
    {
      breach: 'a last word that names no idea',
      files: { 'packages/core/src/lease-manager.ts': nothing },
      found: { 'packages/core/src/lease-manager.ts': 'is named "manager", which names no idea' },
    },
    ...[
      'export const b = process.env.PATH;',
      `export const b = process['env'];`,
      'export const b = globalThis.process.env;',
      'const { env } = process; export { env };',
      `import { env } from 'node:process'; export { env };`,
    ].map((text) => ({
      breach: `the environment read outside apps/: ${text}`,
      files: { 'packages/sandbox/src/a.ts': text },
      found: { 'packages/sandbox/src/a.ts': 'reads `process.env`, which only apps/ may' },
    })),
    ...['packages/tools/src/a.ts', 'apps/cli/src/a.ts'].map((path) => ({
      breach: `a process started in ${path}`,
      files: { [path]: `import { spawn } from 'child_process'; spawn('true');` },
      found: { [path]: 'imports "node:child_process", which only packages/sandbox may' },
    })),
    {
      breach: 'execa outside the sandbox',
      files: { 'packages/coordinator/src/a.ts': `import { execa } from 'execa'; await execa('true');` },
      found: { 'packages/coordinator/src/a.ts': 'imports "execa", which only packages/sandbox may' },
    },
    {
      breach: 'a second file of the sandbox that starts processes',
      files: {
        'packages/sandbox/src/a.ts': `import { fork } from 'node:child_process'; fork('true');`,
        'packages/sandbox/src/b.ts': `import { spawn } from 'node:child_process'; spawn('true');`,
        'packages/sandbox/src/c.ts': `import type { Options } from 'execa'; export type { Options };`,
      },
      found: {
        'packages/sandbox/src/a.ts':
          'starts processes by "node:child_process", and so do others: packages/sandbox/src/a.ts, packages/sandbox/src/b.ts',
        'packages/sandbox/src/b.ts':
          'starts processes by "node:child_process", and so do others: packages/sandbox/src/a.ts, packages/sandbox/src/b.ts',
      },
    },
    ...[
      `import { DatabaseSync } from 'node:sqlite';`,
      `export const sqlite = process.getBuiltinModule('node:sqlite');`,
    ].map((text) => ({
      breach: `SQLite outside packages/embedded: ${text}`,
      files: { 'apps/cli/src/a.test.ts': text },
      found: { 'apps/cli/src/a.test.ts': 'imports "node:sqlite", which only packages/embedded may' },
    })),
    {
      breach: 'Redis outside packages/redis',
      files: { 'packages/coordinator/src/a.ts': `import { Redis } from 'ioredis';` },
      found: { 'packages/coordinator/src/a.ts': 'imports "ioredis", which only packages/redis may' },
    },
    {
      breach: 'a module of Node.js in the foundation',
      files: { 'packages/core/src/a.ts': `import { readFile } from 'fs/promises';` },
      found: { 'packages/core/src/a.ts': 'imports "node:fs", which no browser has' },
    },
    {
      breach: 'export *',
      files: { 'packages/core/src/index.ts': `export * from './a.ts'; export * as b from './b.ts';` },
      found: { 'packages/core/src/index.ts': 'exports everything of another file (`export *`)' },
    },
    {
      breach: 'a lint rule switched off in silence',
      files: { 'packages/core/src/a.ts': `/* oxlint-disable max-lines */ ${nothing}` },
      found: {
        'packages/core/src/a.ts': 'switches a lint rule off without saying why (` -- reason`)',
      },
    },
  ])('$breach', ({ files, found }) => {
    const planted = Object.entries(files).map(([path, text]) => ({ path, text }));
    expect(checkArchitecture(planted)).toEqual(Object.entries(found).map(([path, why]) => ({ path, why })));
  });
});

test('allowed imports are no breach', () => {
  const files = {
    'packages/sandbox/package.json': JSON.stringify({
      name: '@signalbox/sandbox',
      dependencies: { '@signalbox/core': 'workspace:*', execa: 'catalog:' },
    }),
    'packages/sandbox/src/start-process.ts': `
      import { spawn } from 'node:child_process';
      import { execa } from 'execa';
      import { Claim } from '@signalbox/core';
      /* oxlint-disable max-lines -- one table */
      export { spawn, execa, Claim };`,
    'packages/sandbox/src/start-process.integration.test.ts': `
      import { spawn } from 'node:child_process';
      export const path = [spawn, process.env.PATH];`,
    'packages/core/src/testing/store-contract.ts': `import { join } from 'node:path'; export { join };`,
    'apps/cli/src/main.ts': `
      import { A } from '@signalbox/coordinator';
      export { A as B } from './in/b.ts';
      export const path = [process.env['PATH'], A];`,
    'apps/cli/src/in/b.ts': `export const A = 1;`,
  };
  const allowed = Object.entries(files).map(([path, text]) => ({ path, text }));
  expect(checkArchitecture(allowed)).toEqual([]);
});

function trackedFiles(): SourceFile[] {
  return ['packages', 'apps']
    .flatMap((floor) => readdirSync(floor).map((name) => `${floor}/${name}`))
    .flatMap((folder) => {
      const sources = readdirSync(`${folder}/src`, { recursive: true, encoding: 'utf8' });
      return [
        `${folder}/package.json`,
        ...sources.filter((file) => /\.tsx?$/.test(file)).map((file) => `${folder}/src/${file}`),
      ];
    })
    .map((path) => ({ path, text: readFileSync(path, 'utf8') }));
}
