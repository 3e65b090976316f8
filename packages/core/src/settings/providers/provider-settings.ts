import * as z from 'zod';
import type { Trust } from '../../commands/call.ts';
import { ProviderId } from '../../id.ts';
import { contextTokensOf } from './context-tokens.ts';
import { ProviderInput, type ProviderPrices, ProviderTimeouts } from './provider-input.ts';
import { PROVIDER_PRESETS } from './provider-presets.ts';
import type { SandboxProfile } from '../sandbox/sandbox-profile.ts';

/** A provider with all defaults filled in. */
export type ProviderSettings = {
  /** Whether a file names it; false for a preset that no file mentions. */
  readonly configured: boolean;
  /** The file that sets its address, when no local user has confirmed that; it is not used then. Null: confirmed. */
  readonly unconfirmed_in: string | null;
  /** `agent`: it connects to us; `base_url` and `model` are empty. */
  readonly api: 'openai-chat' | 'anthropic-messages' | 'agent';
  readonly base_url: string;
  readonly model: string;
  readonly api_key_env: string | null;
  readonly native_tools: boolean;
  readonly echo_reasoning: boolean;
  readonly max_output_tokens: number;
  readonly context_tokens: number | null;
  readonly temperature: number | null;
  readonly trust: Trust;
  readonly prices: z.output<typeof ProviderPrices> | null;
  readonly priority: number;
  readonly tools: readonly string[] | null;
  readonly timeouts: z.output<typeof ProviderTimeouts>;
  readonly rate_limit_per_hour: number | null;
  readonly sandbox: SandboxProfile | null;
};

const NEEDED = ['api', 'base_url', 'model'] as const;

/** All providers by id: the presets, with the file's changes and additions (B1). */
export const ProvidersSettings = z.record(z.string(), ProviderInput).transform((written, context) => {
  const providers: Record<string, ProviderSettings> = {};
  for (const id of new Set([...Object.keys(PROVIDER_PRESETS), ...Object.keys(written)])) {
    const preset = Object.hasOwn(PROVIDER_PRESETS, id) ? PROVIDER_PRESETS[id] : undefined;
    const own = definedOf(written[id] ?? {});
    const fields: ProviderFields = { ...preset, ...(own.api === 'agent' ? NO_MODEL : {}), ...own };
    if (!ProviderId.safeParse(id).success) {
      refuse([id], 'is not the name of a provider: up to 32 lower-case letters, digits, _ and -');
    }
    for (const key of NEEDED) {
      if (fields[key] === undefined) {
        refuse([id, key], 'is missing: no preset has this provider', { isMissing: true });
      }
    }
    const { api, base_url, model } = fields;
    if (api === undefined || base_url === undefined || model === undefined) continue;
    providers[id] = complete({ ...fields, api, base_url, model, configured: Object.hasOwn(written, id) });
  }
  return providers;

  function refuse(path: string[], why: string, params: Record<string, unknown> = {}): void {
    context.addIssue({ code: 'custom', path, message: `"${path.at(-1)}" ${why}`, input: written, params });
  }
});

const NO_MODEL = { base_url: '', model: '', api_key_env: null } as const;

type ProviderFields = z.output<typeof ProviderInput>;
type Needed = 'configured' | (typeof NEEDED)[number];
type Fields = Omit<ProviderFields, Needed> & Pick<ProviderSettings, Needed>;

function complete(fields: Fields): ProviderSettings {
  return {
    configured: fields.configured,
    unconfirmed_in: null,
    api: fields.api,
    base_url: fields.base_url,
    model: fields.model,
    api_key_env: fields.api_key_env ?? null,
    native_tools: fields.native_tools ?? true,
    echo_reasoning: fields.echo_reasoning ?? false,
    max_output_tokens: fields.max_output_tokens ?? 8192,
    context_tokens:
      fields.context_tokens === undefined ? contextTokensOf(fields.model) : fields.context_tokens,
    temperature: fields.temperature === undefined ? 0.7 : fields.temperature,
    trust: fields.trust ?? 'provisional',
    prices: fields.prices ?? null,
    priority: fields.priority ?? 100,
    tools: fields.tools ?? null,
    timeouts: fields.timeouts ?? ProviderTimeouts.parse({}),
    rate_limit_per_hour: fields.rate_limit_per_hour ?? null,
    sandbox: fields.sandbox ?? null,
  };
}

function definedOf(fields: ProviderFields): ProviderFields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
