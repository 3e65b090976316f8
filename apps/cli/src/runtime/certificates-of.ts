import { readFileSync, realpathSync, statSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { isWithin } from '@signalbox/core';
import { isMachineSecret } from '@signalbox/sandbox';
import { CERTIFICATE_VARIABLES } from './workspace/certificate-variables.ts';

export type Certificates = Readonly<{
  /** Certificate files for commands, by variable. */
  used: Readonly<Record<string, string>>;
  /** What the user set and commands don't get, with the reason. */
  refused: readonly Readonly<{ name: string; path: string; why: string }>[];
}>;

/** The largest system bundle is 250 KB. */
const MAX_BYTES = 8 * 1024 ** 2;

/**
 * Certificates from the user's environment, such as those of a company proxy that inspects TLS.
 *
 * Files of the workspace are left out: anyone who can write there would decide whom commands trust.
 */
export function certificatesOf(
  env: Readonly<Record<string, string | undefined>>,
  workspace: string,
): Certificates {
  const used: Record<string, string> = {};
  const refused: { name: string; path: string; why: string }[] = [];
  for (const name of CERTIFICATE_VARIABLES) {
    const path = env[name] ?? '';
    if (path === '') continue;
    const answer = readBundle(path, workspace);
    if ('real' in answer) used[name] = answer.real;
    else refused.push({ name, path, why: answer.why });
  }
  return { used, refused };
}

function readBundle(path: string, workspace: string): { readonly real: string } | { readonly why: string } {
  if (!isAbsolute(path)) return { why: 'it is not an absolute path' };
  try {
    const real = realpathSync(path);
    if (isWithin(real, workspace)) return { why: 'it is in the workspace' };
    if (isMachineSecret(real)) return { why: 'it is one of the machine’s secret paths' };
    const seen = statSync(real);
    if (!seen.isFile() || seen.size > MAX_BYTES) return { why: 'it is not a certificate file' };
    const text = readFileSync(real, 'latin1');
    if (/-----BEGIN [A-Z0-9 ]*PRIVATE KEY/.test(text)) return { why: 'it contains a private key' };
    return /-----BEGIN (?:TRUSTED |X509 )?CERTIFICATE-----/.test(text)
      ? { real }
      : { why: 'it contains no PEM certificate' };
  } catch {
    return { why: 'it cannot be read' };
  }
}
