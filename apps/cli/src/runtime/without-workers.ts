import { type Executor, SandboxError } from '@signalbox/core';

/** The executor of a workspace that no worker can serve: a command that needs labels of one does not run. */
export function withoutWorkers(local: Executor): Executor {
  return {
    ...local,
    async execute(request, hooks) {
      const { labels = [] } = hooks;
      if (labels.length > 0) throw noWorkers(labels);
      return local.execute(request, hooks);
    },
  };
}

function noWorkers(labels: readonly string[]): SandboxError {
  const named = labels.map((label) => `"${label}"`).join(' and ');
  return new SandboxError(`Cannot run this: it needs a worker with ${named}`, {
    why: ['the settings require labels for it, and only a workspace on Redis has workers'],
    next: ['signalbox serve --redis URL', 'or remove sandbox.labels of its tool and provider'],
  });
}
