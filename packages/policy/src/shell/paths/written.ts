import type { EvaluationContext } from '../program.ts';
import { mixOrigins, type Origin, PLAIN } from '../word.ts';

/** The origin of a file's content, if an earlier command of this line wrote it or a folder above it. */
export function writtenAt(path: string, { walk }: EvaluationContext): Origin | undefined {
  const own = walk.written.get(path);
  if (own !== undefined) return own.origin;
  for (const [folder, { origin }] of walk.written)
    if (folder.endsWith('/') && path.startsWith(folder)) return origin;
  return undefined;
}

/** Whether this line may have created something at a path or in place of a folder above it. */
export function wasReplaced(path: string, { walk }: EvaluationContext): boolean {
  const isAt = (place: string): boolean => path === place || path.startsWith(place.replace(/\/?$/, '/'));
  for (const [place, { isGot }] of walk.written) if (!isGot && isAt(place)) return true;
  return walk.links.keys().some(isAt);
}

/** Records that this line writes to a path: its content has that origin, and that of earlier writes. */
export function noteWritten(
  path: string,
  origin: Origin,
  {
    evaluationContext: { walk, report },
    isFile = false,
  }: Readonly<{ evaluationContext: EvaluationContext; isFile?: boolean }>,
): void {
  const before = walk.written.get(path);
  walk.written.set(path, {
    origin: mixOrigins(origin, before?.origin ?? PLAIN),
    isFile: isFile || before?.isFile === true,
    isGot: report.started !== undefined && before?.isGot !== false,
  });
}

/** A file that this line fetches from the network. */
export function noteFetched(path: string, context: EvaluationContext): void {
  noteWritten(path, { ...PLAIN, network: true }, { evaluationContext: context });
}

/** A folder of such files. */
export function noteFetchedFolder(path: string, context: EvaluationContext): void {
  noteFetched(path.endsWith('/') ? path : `${path}/`, context);
}
