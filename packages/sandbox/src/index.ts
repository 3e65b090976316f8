export { recoverCommits } from './commit/recover.ts';
export type { CommitWriter } from './commit/writer.ts';
export { defaultIsDenied, type IsDenied } from './default-denials.ts';
export { diagnose, type Diagnosis } from './diagnose.ts';
export { createExecutor } from './executor.ts';
export type { ExecutorOptions, TransactionRules } from './executor-options.ts';
export { commitsOf } from './commit/commit.ts';
export { createFiles, type FilesOptions } from './files.ts';
export { runTrusted } from './process.ts';
