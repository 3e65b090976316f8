import type { Browser } from 'playwright-core';
import { openBrowser } from './open-page.ts';
import { type ModelTurn, openScriptedModel } from './scripted-model.ts';
import { type ServedWorkspace, serveWorkspace } from './serve-workspace.ts';

/** A served workspace with the provider `scripted`, and a browser. */
export type ScriptedWorkspace = AsyncDisposable &
  Readonly<{ served: ServedWorkspace; browser: Browser; model: { readonly url: string } }>;

/**
 * @param turns what the model of `scripted` answers, one after another
 * @param own further settings of the user, in YAML
 */
export async function openScripted(turns: readonly ModelTurn[], own = ''): Promise<ScriptedWorkspace> {
  const model = await openScriptedModel(turns);
  const scripted = `{ api: openai-chat, base_url: '${model.url}', model: scripted, api_key_env: null }`;
  const [served, browser] = await Promise.all([
    serveWorkspace(undefined, `${own}providers:\n  scripted: ${scripted}\n`),
    openBrowser(),
  ]);
  return {
    served,
    browser,
    model,
    async [Symbol.asyncDispose]() {
      await browser.close();
      await served[Symbol.asyncDispose]();
      await model[Symbol.asyncDispose]();
    },
  };
}
