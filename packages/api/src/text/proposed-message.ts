import { commitSubject } from '@signalbox/core';

type Proposing = Readonly<{
  message: string;
  providers: readonly Readonly<{ files: readonly Readonly<{ path: string }>[] }>[];
}>;

/** The message of a review for a commit of these paths: one that says how many files changed counts these alone. */
export function proposedMessage({ message, providers }: Proposing, paths: readonly string[]): string {
  const all = new Set(providers.flatMap(({ files }) => files.map(({ path }) => path)));
  return message === commitSubject([...all]) ? commitSubject(paths) : message;
}
