import { defaultSettings } from '@signalbox/core';

const PATIENCE_MS = 500;

/** Whether a model server on this machine responds at the preset's address. */
export async function isOllamaThere(): Promise<boolean> {
  const address = defaultSettings().providers['ollama']?.base_url;
  if (address === undefined) return false;
  const signal = AbortSignal.timeout(PATIENCE_MS);
  const answer = await fetch(new URL('/api/version', address), { signal }).catch(() => null);
  return answer?.ok === true;
}
