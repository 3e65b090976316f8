import { createSystemClock } from '@signalbox/embedded';
import { onTestFinished } from 'vitest';
import { createMilestones } from '../commands/demo/milestones.ts';
import { startModelServer } from '../commands/demo/model-server.ts';
import type { DemoScript, ScriptCall } from '../commands/demo/script.ts';
import { localFile } from '../commands/setup/starting-files.ts';
import { writeOwnSettings } from './own-settings.ts';
import { ownWorkspace } from './own-workspace.ts';

/** Passes when both files exist. */
export const TESTS = 'grep -q done a.txt && grep -q done b.txt';

/** A provider that makes these calls, one list per turn, and then finishes. */
export function scriptOf(provider: string, ...turns: readonly (readonly ScriptCall[])[]): DemoScript {
  const steps = [...turns, []].map((calls) => [{ say: `${provider} at work`, calls, thinkMs: 0 }]);
  return { provider, model: `scripted-${provider}`, task: 'Finish', turns: steps };
}

/** A call that writes such a file. */
export const write = (path: string): ScriptCall => ({
  tool: 'write_file',
  args: { path, content: 'done\n' },
});

/** A workspace whose providers are scripts behind real protocols, and whose tests are {@link TESTS}. */
export async function workspaceFor(...scripts: readonly DemoScript[]): Promise<string> {
  const models = await startModelServer({
    scripts,
    milestones: createMilestones(),
    clock: createSystemClock(),
    fast: true,
  });
  onTestFinished(() => models.stop());
  const workspace = ownWorkspace();
  const providers = scripts.map(({ provider, model }) =>
    provider === 'anthropic'
      ? `  anthropic: { base_url: '${models.url}', model: ${model}, api_key_env: null }`
      : `  ${provider}: { api: openai-chat, base_url: '${models.url}/v1', model: ${model}, api_key_env: null }`,
  );
  const local = `${localFile()}tests: ${JSON.stringify(TESTS)}\nproviders:\n${providers.join('\n')}\n`;
  await writeOwnSettings(workspace, { text: local });
  return workspace;
}
