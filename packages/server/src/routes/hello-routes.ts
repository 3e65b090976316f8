import { getHello, type Hello, PROTOCOL } from '@signalbox/api';
import type { RouteParts, Routes } from './route-parts.ts';

export function helloOf({
  hello,
  version,
  coordinator,
}: Pick<RouteParts, 'hello' | 'version' | 'coordinator'>): Hello {
  const { pid, since, backend, workspace } = hello;
  return {
    pid,
    since,
    backend,
    workspace,
    version,
    protocol: PROTOCOL,
    recovering: coordinator.recovery.progress(),
  };
}

export function helloRoutes(app: Routes, parts: RouteParts): void {
  app.get(
    getHello.url,
    {
      config: { access: ['look'] },
      schema: {
        summary: 'Identity of this coordinator, and its protocol version',
        tags: ['workspace'],
        ...getHello.schema,
      },
    },
    async () => helloOf(parts),
  );
}
