import { createReadStream, existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { MarkKind } from './evidence-log.ts';
import { emptyTrace, type LogPosition, type Trace } from './trace.ts';

/** Folder of the workspace with one file per shell line. */
export const SHELL_EVIDENCE = 'evidence';

/** Joins the evidence of agents, tools and shell lines by command, in order of submission. */
export async function readEvidence(
  run: Readonly<{ evidenceFile: string; workspace: string }>,
): Promise<readonly Trace[]> {
  const traces = new Map<number, Trace>();
  const traceOf = (key: number): Trace => {
    const trace = traces.get(key) ?? emptyTrace(key);
    traces.set(key, trace);
    return trace;
  };
  let order = 0;
  for await (const line of createInterface({ input: createReadStream(run.evidenceFile, 'utf8') })) {
    order += 1;
    const [at = '', kind = '', key = '', ...more] = line.split(' ');
    note(traceOf(Number(key)), kind as MarkKind, { moment: { order, atUs: Number(at) }, more });
  }
  noteShells(join(run.workspace, SHELL_EVIDENCE), traceOf);
  return [...traces.values()];
}

function note(
  trace: Trace,
  kind: MarkKind,
  { moment, more }: Readonly<{ moment: LogPosition; more: readonly string[] }>,
): void {
  const [first, second] = more;
  switch (kind) {
    case 'submitted':
      trace.submitted = moment;
      return;
    case 'rested':
      trace.rested = moment;
      return;
    case 'started':
      trace.starts.push(moment);
      return;
    case 'ended':
      trace.ended = moment;
      trace.value = first === undefined ? null : Number(first);
      return;
    case 'answered':
      trace.answers.push({ moment, outcome: first ?? '', commandId: second ?? '' });
  }
}

/** Start, end and count in the file of a shell line: `1700000000.000001 1700000000.000020 7`. */
function noteShells(folder: string, traceOf: (key: number) => Trace): void {
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) {
    const trace = traceOf(Number.parseInt(name, 10));
    for (const line of readFileSync(join(folder, name), 'utf8').trimEnd().split('\n')) {
      const [start = '', end = '', value] = line.split(' ');
      trace.starts.push({ order: null, atUs: Math.round(Number(start) * 1e6) });
      trace.ended = { order: null, atUs: Math.round(Number(end) * 1e6) };
      trace.value = value === undefined ? null : Number(value);
    }
  }
}
