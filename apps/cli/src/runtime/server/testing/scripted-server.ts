import { createSystemClock } from '@signalbox/embedded';
import { createMilestones } from '../../../commands/demo/milestones.ts';
import { startModelServer } from '../../../commands/demo/model-server.ts';
import type { DemoStep } from '../../../commands/demo/script.ts';
import { openTestServer } from '../../../testing/open-test-server.ts';

/** A turn that says this, and runs this line. */
export const step = (say: string, line?: string): readonly DemoStep[] => [
  { say, calls: line === undefined ? [] : [{ tool: 'bash', args: { line } }], thinkMs: 0 },
];
type Script = readonly (readonly DemoStep[])[];

/** A workspace with two scripted providers and one that needs a key. */
export async function openScripted(one: Script, other: Script = [step('Done.')], settings: object = {}) {
  const script = (provider: string, turns: Script) => ({ provider, model: provider, task: '', turns });
  const model = await startModelServer({
    scripts: [script('one', one), script('other', other)],
    milestones: createMilestones(),
    clock: createSystemClock(),
    fast: true,
  });
  const at = (name: string, key: string | null) => ({
    api: 'openai-chat',
    base_url: `${model.url}/v1`,
    model: name,
    api_key_env: key,
  });
  const server = await openTestServer({
    settings: {
      ...settings,
      providers: { one: at('one', null), other: at('other', null), keyed: at('other', 'OTHER_KEY') },
    },
  });
  return {
    ...server,
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await model.stop();
    },
  };
}
