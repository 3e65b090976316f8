import { commitSubject } from '@signalbox/core';

type Proposing = Readonly<{
  message: string;
  providers: readonly Readonly<{ files: readonly Readonly<{ path: string }>[] }>[];
}>;

/** The proposed commit message for these paths: a message with a number of changed files counts these alone. */
export function proposedMessage({ message, providers }: Proposing, paths: readonly string[]): string {
  const all = new Set(providers.flatMap(({ files }) => files.map(({ path }) => path)));
  return message === commitSubject([...all]) ? commitSubject(paths) : message;
}
