import { runInNewContext } from 'node:vm';
import { rolldown } from 'rolldown';
import { expect, test } from 'vitest';

/** The policy with its dependencies, as one script for a page; modules that can't be bundled stay imports. */
async function bundlePolicy() {
  const build = await rolldown({
    input: new URL('../packages/policy/src/index.ts', import.meta.url).pathname,
    platform: 'browser',
    logLevel: 'silent',
  });
  const { output } = await build.generate({ format: 'iife', name: 'policy', exports: 'named' });
  await build.close();
  return output[0];
}

test(
  'the policy package reaches no module of Node.js and judges in a page',
  { timeout: 60_000 },
  async () => {
    const { code, imports, dynamicImports } = await bundlePolicy();
    expect({ imports, dynamicImports }).toEqual({ imports: [], dynamicImports: [] });

    // Only the language itself and the globals of every page: no `process`, `Buffer` or `require`.
    const page: Record<string, unknown> = { URL, TextEncoder, TextDecoder };
    runInNewContext(
      `${code};globalThis.level = policy.classifyLine('sudo id', { cwd: '/repo' }).level`,
      page,
    );
    expect(page['level']).toBe('blocked');
  },
);
