import type { Settings } from '@signalbox/core';

/** Network access is read when the coordinator opens: calls are judged by that, plus the hosts agreed to since. */
export function withNetworkOf(opened: Settings, next: Settings): Settings {
  const network = { ...opened.sandbox.network, agreed: next.sandbox.network.agreed };
  return { ...next, sandbox: { ...next.sandbox, network } };
}
