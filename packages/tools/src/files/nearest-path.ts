import { type Files, nearestPaths, ToolFailure, visibleName, type WantedPath } from '@signalbox/core';

/** Runs an operation and adds suggestions to a not-found failure. */
export async function namingNearest<Result>(
  path: string,
  {
    files,
    wanted = 'file',
  }: { readonly files: Pick<Files, 'normalise' | 'list'>; readonly wanted?: WantedPath },
  operation: () => Promise<Result>,
): Promise<Result> {
  try {
    return await operation();
  } catch (error) {
    if (!(error instanceof ToolFailure) || error.code !== 'not-found') throw error;
    const nearest = await nearestPaths(files.normalise(path), { files, wanted });
    if (nearest.length === 0) throw error;
    const { code, category, message } = error;
    const suggestion = `Did you mean ${nearest.map(visibleName).join(' or ')}?`;
    throw new ToolFailure({ code, category, message, suggestion, cause: error });
  }
}
