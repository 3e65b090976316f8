/**
 * The repository as data: who lives where, and who may call on whom. Imports point only down.
 *
 * `architecture.test.ts` enforces it. A new package, or a new arrow between two, starts as a line here.
 */

/** From the ground up. A package imports from lower layers only, so no room knows another. */
export const layers = ['foundation', 'room', 'signalman', 'door', 'load tester', 'people'] as const;
type Layer = (typeof layers)[number];

export type PackageRule = Readonly<{
  /** Name of its manifest. */
  name: string;
  layer: Layer;
  /** One sentence on what it is for. */
  purpose: string;
  /** Folders of the packages that it may import. */
  mayImport: readonly string[];
  /** Modules that nobody else may import. */
  owns?: readonly string[];
  /** Holds to what a browser has: no module of Node.js. */
  runsInBrowser?: boolean;
}>;

const core = 'packages/core';
const api = 'packages/api';
const policy = 'packages/policy';
const sandbox = 'packages/sandbox';
const tools = 'packages/tools';
const mcpTools = 'packages/mcp-tools';
const providers = 'packages/providers';
const embedded = 'packages/embedded';
const redis = 'packages/redis';
const coordinator = 'packages/coordinator';
const server = 'packages/server';
const bench = 'apps/bench';

/** Folder to what stands there. A row may come before its folder. */
export const packageRules: Readonly<Record<string, PackageRule>> = {
  [core]: {
    name: '@signalbox/core',
    layer: 'foundation',
    purpose: 'The words: schemas, resources and their conflicts, events, errors, ports and their contracts.',
    mayImport: [],
    runsInBrowser: true,
  },
  [api]: {
    name: '@signalbox/api',
    layer: 'room',
    purpose: 'The contract of the HTTP API: one schema for every request, answer and event; a typed client.',
    mayImport: [core],
    runsInBrowser: true,
  },
  [policy]: {
    name: '@signalbox/policy',
    layer: 'room',
    purpose: 'Judges: a shell line gets a verdict, a call gets a ruling.',
    mayImport: [core],
    owns: ['re2js', 'unbash'],
  },
  [sandbox]: {
    name: '@signalbox/sandbox',
    layer: 'room',
    purpose: 'Where the process of a command lives: confinement, limits, output, files.',
    mayImport: [core],
    owns: ['execa', 'node:child_process'],
  },
  [tools]: {
    name: '@signalbox/tools',
    layer: 'room',
    purpose: 'The catalogue of tools, one file a tool.',
    mayImport: [core],
  },
  [mcpTools]: {
    name: '@signalbox/mcp-tools',
    layer: 'room',
    purpose: 'Tools of other MCP servers, kept in reach.',
    mayImport: [core],
  },
  [providers]: {
    name: '@signalbox/providers',
    layer: 'room',
    purpose: 'Models behind one Provider port, one folder each.',
    mayImport: [core],
    owns: ['openai', '@anthropic-ai/sdk'],
  },
  [embedded]: {
    name: '@signalbox/embedded',
    layer: 'room',
    purpose: 'The ports for one process, kept in one SQLite file.',
    mayImport: [core],
    owns: ['node:sqlite'],
  },
  [redis]: {
    name: '@signalbox/redis',
    layer: 'room',
    purpose: 'The same ports for many processes and machines, kept in Redis.',
    mayImport: [core],
    owns: ['bullmq', 'bullmq-otel', 'ioredis'],
  },
  [coordinator]: {
    name: '@signalbox/coordinator',
    layer: 'signalman',
    purpose: 'Leads every command from submission to its one result: sessions, approvals, monitor, recovery.',
    mayImport: [core, policy],
    owns: ['xstate'],
  },
  [server]: {
    name: '@signalbox/server',
    layer: 'door',
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
    layer: 'people',
    purpose: 'The `signalbox` program, which puts ports and rooms together.',
    mayImport: [
      core,
      api,
      policy,
      sandbox,
      tools,
      mcpTools,
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
    layer: 'people',
    purpose: 'The page for people: approvals, live lanes, queue and leases, history.',
    mayImport: [core, api],
    owns: ['react-dom', 'vite'],
    runsInBrowser: true,
  },
};

/**
 * The folders of the program, from the ground up: each imports from those before it alone. What stands in none of them
 * (`main.ts`, tests from outside in `integration`, what tests stand on in `testing`) may import from all.
 */
export const programFolders: readonly string[] = [
  'terminal',
  'runtime/workspace',
  'runtime/contract',
  'runtime/settings',
  'runtime/rules',
  'runtime/backend',
  'runtime/server',
  'runtime/log',
  'runtime',
  'views',
  'client',
  'client/readers',
  'live',
  'live/review',
  'live/run',
  'live/watch',
  'commands/table',
  'commands/rules',
  'commands/network',
  'commands/mcp',
  'commands/setup',
  'commands/serve',
  'commands/start',
  'commands/demo',
  'commands/decide',
  'commands/see',
  'commands/past',
  'commands/connect',
  'commands/bench',
  'commands/help',
  'program',
];

/** Each of these is imported by one file: commands start by one, trusted programs by the other; a test may start both. */
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
