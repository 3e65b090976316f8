import { type Invocation, NETWORK, type EvaluationContext, WRITES_UNKNOWN } from '../../program.ts';
import { type OptionTable, readOptions, tableOf, valueOf } from '../../options.ts';
import { isSecret } from '../../paths/path-words.ts';
import { touchRead } from '../../paths/touch.ts';
import { beginningOf, textOf, type Word } from '../../word.ts';

/** Judges programs that use keys or secrets: `openssl`, `gpg`, `vault`. */
export function judgeKeys({ program, words, context, span }: Invocation): void {
  const [verb] = words;
  const tells = program === 'openssl' && /^(?:version|help|list|ciphers)$/.test(textOf(verb) ?? '');
  if (program === 'openssl' && readsPublic(words, context)) return;
  if (tells || (words.length === 1 && textOf(verb) === '--version')) return;
  context.report.raise('warning', 'cryptography', { text: 'uses keys or secrets', span });
  context.report.effect(WRITES_UNKNOWN);
  for (const word of words) if (isSecret(beginningOf(word))) touchRead(context, word);
  const text = words.map((word) => beginningOf(word)).join(' ');
  const { report } = context;
  if (program === 'vault' && words.length === 1 && textOf(verb) === 'status') return report.effect(NETWORK);
  if (/(?:^|\s)-?-?(?:enc|d|decrypt|a|base64)\b/.test(text)) report.sources.decoded += 1;
  if (/s_client|s_server/.test(text)) report.effect(NETWORK);
  const secret =
    /^(?:pass|op|security|secret-tool|vault|bw|sops|ssh-keygen|keytool)$/.test(program) ||
    /s_client|s_server|export-secret|genrsa|genpkey|\brsa\b|pkey|pkcs12|dumpasn|delete|gen-key|--decrypt|send-keys/.test(
      text,
    );
  if (secret)
    report.raise('dangerous', 'reads-secret', { text: `uses keys or secrets with ${program}`, span });
}

const PUBLIC: ReadonlyMap<string, OptionTable> = new Map([
  [
    'dgst',
    tableOf('-r -c --hex --binary --list --md5 --sha1 --sha224 --sha256 --sha384 --sha512 --sha3-256'),
  ],
  [
    'x509',
    tableOf(
      '--in= --inform= --noout --text --dates --startdate --enddate --subject --issuer --serial --fingerprint --sha1 --sha256 --pubkey --modulus --purpose --ext= --checkend= --checkhost= --email --hash --nameopt= --certopt=',
    ),
  ],
]);

/** `openssl dgst -sha256 a`, `openssl x509 -in cert.pem -noout -dates`: their input is no secret. */
function readsPublic(words: readonly Word[], context: EvaluationContext): boolean {
  const [verb, ...rest] = words;
  const table = PUBLIC.get(textOf(verb) ?? '');
  if (table === undefined) return false;
  const options = readOptions(rest, 'long', table);
  if (options.unknown.length > 0 || options.maybeOptions.length > 0) return false;
  if (textOf(verb) === 'dgst') for (const word of options.operands) touchRead(context, word);
  const certificate = valueOf(options, '--in');
  const text = textOf(certificate) ?? '';
  if (certificate !== undefined && (!/\.(?:pem|crt|cer|der)$/.test(text) || /key/i.test(text)))
    touchRead(context, certificate);
  return true;
}
