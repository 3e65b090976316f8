export { createEmbeddedBackend, type EmbeddedBackend, type EmbeddedBackendOptions } from './backend.ts';
export { leaveLock, type LockHolder, takeLock } from './lock-file.ts';
export { identityOf, livenessOf, ProcessIdentity } from './process-identity.ts';
export { createScheduler, type EmbeddedScheduler, type EmbeddedSchedulerOptions } from './scheduler.ts';
export { createSystemClock } from '@signalbox/core';
export {
  acquireWorkspaceLock,
  findWorkspaceHolder,
  type WorkspaceLock,
  type WorkspaceLockOptions,
} from './workspace-lock.ts';
