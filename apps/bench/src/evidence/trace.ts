/** When something happened: its position in the log, or null when a shell wrote it elsewhere, and the wall clock. */
export type LogPosition = Readonly<{ order: number | null; atUs: number }>;

/** The evidence of one command. */
export type Trace = {
  readonly key: number;
  submitted: LogPosition | null;
  rested: LogPosition | null;
  /** More than one: it was started twice. */
  readonly starts: LogPosition[];
  ended: LogPosition | null;
  /** The count it wrote to its file; null when it counts nothing, or did not finish. */
  value: number | null;
  /** More than one: it was answered twice. */
  readonly answers: { readonly moment: LogPosition; readonly outcome: string; readonly commandId: string }[];
};

export function emptyTrace(key: number): Trace {
  return { key, submitted: null, rested: null, starts: [], ended: null, value: null, answers: [] };
}
