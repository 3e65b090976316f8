/**
 * The repository as data: its packages, their layers, and what each may import. Imports point only down.
 *
 * `architecture.test.ts` enforces it. A new package, or a new import between two, starts as a line here.
 */

/** From the bottom up. A package imports only from lower layers, so no library imports another. */
export const layers = ['foundation', 'library', 'coordinator', 'server', 'load tester', 'app'] as const;
type Layer = (typeof layers)[number];

export type PackageRule = Readonly<{
  /** The name in its manifest. */
  name: string;
  layer: Layer;
  /** Its purpose, in one sentence. */
  purpose: string;
  /** Folders of the packages that it may import. */
  mayImport: readonly string[];
  /** Modules that no other package may import. */
  owns?: readonly string[];
  /** Uses only what a browser has: no module of Node.js. */
  runsInBrowser?: boolean;
}>;

const core = 'packages/core';
const api = 'packages/api';
const policy = 'packages/policy';
const sandbox = 'packages/sandbox';
const tools = 'packages/tools';
const mcpTools = 'packages/mcp-tools';
const filters = 'packages/filters';
const providers = 'packages/providers';
const embedded = 'packages/embedded';
const redis = 'packages/redis';
const coordinator = 'packages/coordinator';
const server = 'packages/server';
const bench = 'apps/bench';

/** Packages by folder. A row may be added before its folder. */
export const packageRules: Readonly<Record<string, PackageRule>> = {
  [core]: {
    name: '@signalbox/core',
    layer: 'foundation',
    purpose:
      'Shared vocabulary: schemas, resources and their conflicts, events, errors, ports and their contracts.',
    mayImport: [],
    runsInBrowser: true,
  },
  [api]: {
    name: '@signalbox/api',
    layer: 'library',
    purpose:
      'The contract of the HTTP API: one schema for every request, response and event; a typed client.',
    mayImport: [core],
    runsInBrowser: true,
  },
  [policy]: {
    name: '@signalbox/policy',
    layer: 'library',
    purpose: 'Judges: a shell line gets a verdict, a call gets a ruling.',
    mayImport: [core],
    owns: ['re2js', 'unbash'],
  },
  [sandbox]: {
    name: '@signalbox/sandbox',
    layer: 'library',
    purpose: 'Runs the process of a command: confinement, limits, output, files.',
    mayImport: [core],
    owns: ['execa', 'node:child_process'],
  },
  [tools]: {
    name: '@signalbox/tools',
    layer: 'library',
    purpose: 'The catalogue of tools, one file per tool.',
    mayImport: [core],
  },
  [mcpTools]: {
    name: '@signalbox/mcp-tools',
    layer: 'library',
    purpose: 'Tools of other MCP servers.',
    mayImport: [core],
  },
  [filters]: {
    name: '@signalbox/filters',
    layer: 'library',
    purpose: 'Shortens the output of commands for a model.',
    mayImport: [core],
  },
  [providers]: {
    name: '@signalbox/providers',
    layer: 'library',
    purpose: 'Models behind one Provider port, one folder each.',
    mayImport: [core],
    owns: ['openai', '@anthropic-ai/sdk'],
  },
  [embedded]: {
    name: '@signalbox/embedded',
    layer: 'library',
    purpose: 'The ports for one process, in one SQLite file.',
    mayImport: [core],
    owns: ['node:sqlite'],
  },
  [redis]: {
    name: '@signalbox/redis',
    layer: 'library',
    purpose: 'The same ports for many processes and machines, in Redis.',
    mayImport: [core],
    owns: ['bullmq', 'bullmq-otel', 'ioredis'],
  },
  [coordinator]: {
    name: '@signalbox/coordinator',
    layer: 'coordinator',
    purpose: 'Leads every command from submission to its one result: sessions, approvals, monitor, recovery.',
    mayImport: [core, policy],
    owns: ['xstate'],
  },
  [server]: {
    name: '@signalbox/server',
    layer: 'server',
    purpose: 'HTTP API, event stream and MCP endpoint; serves the dashboard.',
    mayImport: [core, api, coordinator],
    owns: ['fastify'],
  },
  [bench]: {
    name: '@signalbox/bench',
    layer: 'load tester',
    purpose: 'Fake agents on a real coordinator, measured and checked; `signalbox bench` shows it.',
    mayImport: [core, api, sandbox, redis, coordinator, server],
  },
  'apps/cli': {
    name: 'signalbox',
    layer: 'app',
    purpose: 'The `signalbox` program, which composes the packages.',
    mayImport: [
      core,
      api,
      policy,
      sandbox,
      tools,
      mcpTools,
      filters,
      providers,
      embedded,
      redis,
      coordinator,
      server,
      bench,
    ],
  },
  'apps/dashboard': {
    name: '@signalbox/dashboard',
    layer: 'app',
    purpose: 'The web page: approvals, live lanes, queue and leases, history.',
    mayImport: [core, api],
    owns: ['react-dom', 'vite'],
    runsInBrowser: true,
  },
  'apps/outside': {
    name: '@signalbox/outside',
    layer: 'app',
    purpose:
      'Tests from outside: a fresh clone, used by what README and docs say. Imports nothing of the product.',
    mayImport: [],
  },
};

/**
 * The folders of the program, from the bottom up: each imports only from earlier ones. Files outside of them
 * (`main.ts`, `integration` tests, the `testing` harness) may import from all.
 */
export const programFolders: readonly string[] = [
  'terminal',
  'runtime/workspace',
  'runtime/contract',
  'runtime/settings',
  'runtime/rules',
  'runtime/log',
  'runtime/tool-filter',
  'runtime/server',
  'runtime',
  'views/command',
  'views',
  'client',
  'client/readers',
  'live',
  'live/run',
  'live/watch/frame',
  'live/watch',
  'commands/table',
  'commands/rules/judge',
  'commands/rules',
  'commands/agents',
  'commands/setup',
  'commands/serve',
  'commands/operate',
  'commands/see',
  'commands/see/stats',
  'commands/demo',
  'commands/bench',
  'program',
];

/** Most source files in one folder, without tests and benchmarks. */
export const maxFilesPerFolder = 25;

/** Folders that may hold more, each with its reason. */
export const largeFolders: Readonly<Record<string, string>> = {
  'apps/cli/src/runtime': 'the composition root: one file for each part that it opens',
};

/** Each of these is imported by one file: one starts commands, the other trusted programs; tests may start both. */
export const processModules: readonly string[] = ['execa', 'node:child_process'];

/** Last words of file names that name no idea. */
export const emptyNames: readonly string[] = [
  'util',
  'utils',
  'helper',
  'helpers',
  'type',
  'types',
  'common',
  'manager',
  'managers',
];

/** Kinds of file with rules of their own, as in `command.machine.ts`. */
export const fileKinds: readonly string[] = [
  'machine',
  'actor',
  'tool',
  'test',
  'integration',
  'bench',
  'config',
];
