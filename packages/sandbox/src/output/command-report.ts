import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import {
  errorText,
  type Execution,
  type ExecutionRequest,
  type Isolation,
  REPORT_FILE,
} from '@signalbox/core';

/** Larger ones are not read: Signalbox only wants counts and the first failures. */
const MAX_BYTES = 4 * 1024 ** 2;
const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;

/** Layers whose commands have a `/tmp` of their own that can be read from outside. */
const READABLE: ReadonlySet<Isolation['layer']> = new Set(['overlay', 'bind']);

/** The request with the line that makes its program write a report, where that can be read; elsewhere without a report. */
export function withReport(
  request: ExecutionRequest,
  { layer, ownFolders = [] }: Pick<Isolation, 'layer' | 'ownFolders'>,
): ExecutionRequest {
  const { report, ...plain } = request;
  if (report === undefined) return request;
  if (request.program.kind !== 'shell' || !READABLE.has(layer) || !ownFolders.includes('/tmp')) return plain;
  const added = Object.entries(report.env).map(([name, value]) => {
    const own = request.env[name];
    return [name, own === undefined ? value : `${own} ${value}`] as const;
  });
  return {
    ...request,
    program: { kind: 'shell', line: report.line },
    env: { ...request.env, ...Object.fromEntries(added) },
  };
}

/**
 * Reads the report that a command wrote into its private `/tmp`, before its sandbox is gone.
 *
 * Whatever the command left there, this neither leaves that folder nor waits: the folder is a mount that the command can't
 * replace, a link is not followed, and a pipe, a device or too large a file is not read.
 *
 * @param pid A process of the sandbox that sees the command's root; null if there is none any more.
 */
export function readCommandReport(pid: number | null): NonNullable<Execution['report']> {
  if (pid === null) return none('its sandbox is gone');
  let file: number;
  try {
    file = openSync(`/proc/${pid}/root${REPORT_FILE}`, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return none('none was written');
    return none(code === 'ELOOP' ? 'it is a link' : errorText(error));
  }
  try {
    const stat = fstatSync(file);
    if (!stat.isFile()) return none('it is not a file');
    if (stat.size > MAX_BYTES) return none(`it is larger than ${MAX_BYTES} bytes`);
    return { kind: 'read', text: textIn(file, stat.size) };
  } catch (error) {
    return none(errorText(error));
  } finally {
    closeSync(file);
  }
}

/** Another process may write to it meanwhile: no more than it had is read. */
function textIn(file: number, size: number): string {
  const bytes = Buffer.alloc(size);
  let length = 0;
  while (length < size) {
    const read = readSync(file, bytes, length, size - length, length);
    if (read === 0) break;
    length += read;
  }
  return bytes.toString('utf8', 0, length);
}

function none(why: string): NonNullable<Execution['report']> {
  return { kind: 'none', why };
}
