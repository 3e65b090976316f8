import type { Settings } from '@signalbox/core';

/** What lets commands out is read when the coordinator opens: calls are judged by that, but for the hosts agreed to since. */
export function withNetworkOf(opened: Settings, next: Settings): Settings {
  const network = { ...opened.sandbox.network, agreed: next.sandbox.network.agreed };
  return { ...next, sandbox: { ...next.sandbox, network } };
}
