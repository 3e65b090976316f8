export { defaultIsDenied, type IsDenied } from './default-denials.ts';
export { createExecutor, type ExecutorOptions } from './executor.ts';
export { createFiles, type FilesOptions } from './files.ts';
