import { openTestRuntime, type TestRuntime } from '../../testing/open-test-runtime.ts';
import { chatTurn, type ScriptedAnswer, startModel } from '../settings/model-server.ts';

export const NEVER_PUSH = 'Never push to a remote';
export const FREE = { approval: { approval_mode: 'allow_all' } } as const;

/** The text of the call in a request to the judge, and the whole user message. */
export function callIn(body: Readonly<Record<string, unknown>> | undefined): {
  readonly call: unknown;
  readonly text: string;
  readonly system: string;
} {
  const messages = body?.['messages'] as readonly { role: string; content: string }[];
  const text = messages.find(({ role }) => role === 'user')?.content ?? '';
  const system = messages.find(({ role }) => role === 'system')?.content ?? '';
  return { call: JSON.parse(text.split('\n')[1] ?? 'null'), text, system };
}

/** A model server whose verdict depends on the text of the call. */
export async function startJudge(verdict: (text: string, before: number) => string | ScriptedAnswer) {
  return startModel((body, before) => {
    const answer = verdict(callIn(body).text, before);
    return typeof answer === 'string'
      ? chatTurn(
          { content: answer },
          { usage: { prompt_tokens: 1000, completion_tokens: 10, total_tokens: 1010 } },
        )
      : answer;
  });
}

/** A workspace whose calls a model server judges. */
export async function openJudged(
  judge: { readonly url: string },
  {
    provider = {},
    settings = FREE,
    files = { 'a.txt': 'one\n' },
    ...policy
  }: Readonly<Record<string, unknown>> & {
    readonly provider?: object;
    readonly settings?: object;
    readonly files?: Readonly<Record<string, string>>;
  } = {},
): Promise<TestRuntime> {
  return openTestRuntime({ files, settings: { ...settings, ...judgedBy(judge, { provider, ...policy }) } });
}

/** The settings of a judge. */
export function judgedBy(
  judge: { readonly url: string },
  { provider = {}, ...policy }: Readonly<Record<string, unknown>> & { readonly provider?: object } = {},
): { readonly tools: object; readonly providers: Readonly<Record<string, object>> } {
  const by = { policies: [NEVER_PUSH], policy_provider: 'judge' };
  return {
    tools: { adversarial_policy: { enabled: true, ...by, ...policy } },
    providers: {
      judge: { api: 'openai-chat', base_url: judge.url, model: 'tiny', api_key_env: null, ...provider },
    },
  };
}
