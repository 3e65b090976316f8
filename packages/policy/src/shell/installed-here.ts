import { absolutePath } from './paths.ts';
import type { EvaluationContext } from './program.ts';
import { wasReplaced } from './written.ts';

/** Where package managers put the programs that they got, and the build wrappers that projects bring. */
const SEARCH_FOLDERS = /^(?:\.?venv\/bin|node_modules\/\.bin)\/[^/]+$|^(?:gradlew|mvnw)$/;

/**
 * Whether a path leads to a program that the project is set up with: directly in the root of the workspace or where the
 * line stands, and as it was before the line. Elsewhere any file may be called like that.
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
