import { type Files, nearestWord, ToolFailure } from '@signalbox/core';

type Reader = Pick<Files, 'normalise' | 'list'>;

/** Names of one folder that are compared. */
const MAX_NAMES = 1000;

/** Does what may not find its file; a failure that says so names the nearest one of the same folder. */
export async function namingNearest<Result>(
  path: string,
  files: Reader,
  look: () => Promise<Result>,
): Promise<Result> {
  try {
    return await look();
  } catch (error) {
    if (!(error instanceof ToolFailure) || error.code !== 'not-found') throw error;
    const nearest = await nearestPath(path, files);
    if (nearest === undefined) throw error;
    const { code, category, message } = error;
    throw new ToolFailure({ code, category, message, suggestion: `Did you mean ${nearest}?`, cause: error });
  }
}

/** Denied names are none that is ever listed. */
async function nearestPath(given: string, files: Reader): Promise<string | undefined> {
  const path = files.normalise(given);
  const folder = path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '.';
  try {
    const { entries } = await files.list(folder, { limit: MAX_NAMES });
    return nearestWord(
      path,
      entries.map((entry) => entry.path),
    );
  } catch (error) {
    if (error instanceof ToolFailure) return undefined;
    throw error;
  }
}
