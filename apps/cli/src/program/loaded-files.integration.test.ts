import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import * as z from 'zod';
import { backgroundWorld } from '../client/testing/background-world.ts';
import { MAIN } from '../testing/agent.ts';
import { runProgram } from '../testing/run-program.ts';

const Loaded = z.object({ files: z.array(z.string()), builtins: z.array(z.string()), schemas: z.int() });

/** Reports at exit which files the program has loaded, and how many schemas it has created. */
const PRELOADED = `
const { writeFileSync } = require('node:fs');
let schemas = 0;
globalThis.__zod_globalConfig = { postProcessor: () => { schemas += 1; } };
process.on('exit', () => {
  const builtins = process.moduleLoadList.filter((name) => name.startsWith('NativeModule '));
  const files = Object.keys(require.cache).filter((file) => file !== __filename);
  const loaded = { files, builtins: builtins.map((name) => name.slice('NativeModule '.length)), schemas };
  writeFileSync(process.env.LOADED, JSON.stringify(loaded));
});
`;

async function loadedBy(...args: readonly string[]): Promise<z.infer<typeof Loaded>> {
  const world = backgroundWorld();
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-loaded-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [preloaded, loaded] = [join(folder, 'preloaded.cjs'), join(folder, 'loaded.json')];
  writeFileSync(preloaded, PRELOADED);
  await world.connect();
  const { exitCode, output } = await runProgram([process.execPath, '--require', preloaded, MAIN, ...args], {
    cwd: world.directory,
    env: { ...world.env, LOADED: loaded },
    timeoutMs: 120_000,
  });
  expect({ args, exitCode, output }).toMatchObject({ exitCode: 0 });
  return Loaded.parse(JSON.parse(readFileSync(loaded, 'utf8')));
}

/** Slow-loading modules of Node.js that a short subcommand does not need. */
const SLOW = /^(?:crypto|child_process|readline.*|fs\/promises|worker_threads|https?2?|internal\/deps\/.*)$/;

test.each([
  { args: ['--version'], files: 3, schemas: 0, slow: [] },
  { args: ['--help'], files: 4, schemas: 0, slow: [] },
  { args: ['status'], files: 5, schemas: 220, slow: ['http'] },
  { args: ['exec', '--', 'true'], files: 80, schemas: 3000, slow: ['crypto', 'fs/promises', 'http'] },
])(
  'the built program loads at most $files files for $args, makes at most $schemas schemas, and asks Node.js for $slow',
  { timeout: 240_000 },
  async ({ args, files, schemas, slow }) => {
    const loaded = await loadedBy(...args);
    expect(loaded.files.length).toBeLessThanOrEqual(files);
    expect(loaded.schemas).toBeLessThanOrEqual(schemas);
    expect(loaded.builtins.filter((name) => SLOW.test(name))).toEqual(slow);
  },
);
