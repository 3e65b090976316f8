import { ProviderId } from '@signalbox/core';

/** The person at this terminal, as a provider of calls. */
export const YOU = ProviderId.parse('you');
