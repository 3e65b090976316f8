import { defineTool, type Tool } from '@signalbox/core';
import * as z from 'zod';

/** A placeholder for the tool of that name, for questions about calls that nobody makes: it has no behaviour. */
export function placeholderTool(name: string, takesLine: boolean): Tool {
  const reads = /^(?:read|list|search|find|stat|view)/.test(name);
  return defineTool({
    name: /^[a-z][a-z0-9_]{0,63}$/.test(name) ? name : 'unknown',
    description: 'An example',
    requestKind: takesLine ? 'bash' : 'other',
    category: takesLine ? 'execute' : reads ? 'read_only' : 'system_write',
    risk: 'medium',
    requiresSandbox: takesLine,
    args: z.unknown(),
    describe: () => '',
    effects: () => [],
    handle: () => Promise.reject(new Error('an example runs nothing')),
  });
}
