import { createManualClock } from './manual-clock.ts';
import { providerContract } from './contracts/provider-contract.ts';
import { createScriptedProvider } from './scripted-provider.ts';

providerContract('scripted', async () => {
  const clock = createManualClock();
  const provider = createScriptedProvider({ id: 'scripted', clock });
  return {
    provider,
    clock,
    script: provider.script,
    received: () => provider.requests.map((request) => JSON.stringify(request)),
    close: async () => {},
  };
});
