import { type PathContext, type PathLocation, locatePath } from '../governance/paths/path-location.ts';
import type { Question } from '../governance/question.ts';
import { commandsOf } from './line-commands.ts';
import type { LineCommands } from './simple-command.ts';

/** A call as rules see it; the commands of its line are parsed on demand. */
export type Subject = {
  readonly question: Question;
  /** Null when the call has none. */
  readonly line: string | null;
  /** Null when the line can't be parsed for certain, or was not given at all. */
  commands(): LineCommands | null;
  /** Whether the call has a shell line that was not given. */
  readonly lacksLine: boolean;
  /** Location of an effect's path. */
  location(path: string): PathLocation;
};

export function subjectOf(question: Question, pathContext: PathContext): Subject {
  const line = question.line ?? null;
  const locations = new Map<string, PathLocation>();
  const commands = once(() => (line === null ? null : commandsOf(line)));
  return {
    question,
    line,
    lacksLine: question.line === undefined && question.tool.shellLine !== undefined,
    commands,
    location(path) {
      const location = locations.get(path) ?? locatePath(path, pathContext);
      locations.set(path, location);
      return location;
    },
  };
}

function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => (made ??= { value: make() }).value;
}
