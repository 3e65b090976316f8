import type * as z from 'zod';
import type { ProviderInput } from './provider-input.ts';

/** `temperature: null` sends none: some models accept none at all. */
type Preset = Pick<
  z.output<typeof ProviderInput>,
  'api' | 'base_url' | 'model' | 'api_key_env' | 'temperature' | 'echo_reasoning'
>;

const ollama = {
  api: 'openai-chat',
  base_url: 'http://127.0.0.1:11434/v1',
  model: 'llama3.1',
  api_key_env: null,
} as const;

/** Providers that need no settings but a key in the environment; settings of the same id change single fields (B1). */
export const PROVIDER_PRESETS: Readonly<Record<string, Preset>> = {
  openai: {
    api: 'openai-chat',
    base_url: 'https://api.openai.com/v1',
    model: 'gpt-5.5',
    api_key_env: 'OPENAI_API_KEY',
    temperature: null,
  },
  anthropic: {
    api: 'anthropic-messages',
    base_url: 'https://api.anthropic.com',
    model: 'claude-sonnet-5-5',
    api_key_env: 'ANTHROPIC_API_KEY',
    temperature: null,
  },
  deepseek: {
    api: 'openai-chat',
    base_url: 'https://api.deepseek.com',
    model: 'deepseek-chat',
    api_key_env: 'DEEPSEEK_API_KEY',
    echo_reasoning: true,
  },
  ollama,
  local: ollama,
};
