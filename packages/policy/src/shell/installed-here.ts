import { absolutePath } from './paths.ts';
import type { EvaluationContext } from './program.ts';
import { wasReplaced } from './written.ts';

/** Folders where package managers put programs, and the build wrappers of projects. */
const SEARCH_FOLDERS = /^(?:\.?venv\/bin|node_modules\/\.bin)\/[^/]+$|^(?:gradlew|mvnw)$/;

/**
 * Whether a path leads to a program of the project's set-up: directly in the root of the workspace or in the line's
 * directory, and unchanged by the line. Elsewhere any file may have such a name.
 */
export function isInstalledHere(text: string, context: EvaluationContext): boolean {
  const { state, lineContext } = context;
  if (state.cwd === undefined) return false;
  const path = absolutePath(text, state.cwd);
  const isPlaced = [lineContext.workspace, state.cwd].some(
    (folder) => path.startsWith(`${folder}/`) && SEARCH_FOLDERS.test(path.slice(folder.length + 1)),
  );
  return isPlaced && path.startsWith(`${lineContext.workspace}/`) && !wasReplaced(path, context);
}
