export { recoverCommits } from './commit/recover.ts';
export { undoCommit, type UndoAnswer } from './commit/undo.ts';
export { defaultIsDenied, type IsDenied } from './default-denials.ts';
export { diagnose, type Diagnosis } from './diagnose.ts';
export { createExecutor } from './executor.ts';
export type { ExecutorOptions } from './executor-options.ts';
export { createFiles, type FilesOptions } from './files.ts';
export { runTrusted } from './process.ts';
