import { describe, expect, test } from 'vitest';
import { createRedactor } from './redactor.ts';

const redact = (text: string) => createRedactor({ secrets: [] }).redact(text);

describe('hidden secrets (R-B7)', () => {
  // Made up; in two parts, so that no scanner takes this file for a leak.
  const key = ['sk-ant', 'api03-A1b2C3d4E5f6G7h8'].join('-');
  const inTheMiddle = (hider: string): string =>
    `${key.slice(0, 4)}${hider}${key.slice(4, 12)}${hider}${key.slice(12)}`;

  const HIDERS = ['\u001B[1;31m', '\u001B]8;;x\u0007', '\u200B', '\b', '\0', '\u00AD', '\u2060'];
  /** `tput sgr0` prints the first of these. */
  const RARE = [
    '\u001B(B',
    '\u001B7',
    '\u001B]8;;https://example.com/\u001B\\',
    '\u001BPx\u001B\\',
    '\u001B_x\u001B\\',
    '\u009B1m',
    '\u009Dx\u009C',
    '\u{E0020}',
    '\v',
    '\f',
  ];

  test.for([...HIDERS, ...RARE])('behind %j are removed', (hider) => {
    expect(redact(`a ${inTheMiddle(hider)} b\n`)).toBe('a [redacted:anthropic-key] b\n');
    expect(redact(`${'x '.repeat(700)}${inTheMiddle(hider)}`)).not.toContain(key.slice(-4));
  });

  test.for([...HIDERS, ...RARE])('behind %j in a long line are removed, wherever its blocks end', (hider) => {
    for (let before = 960; before < 1025; before++) {
      const text = `${' '.repeat(before)}${inTheMiddle(hider)}${' x'.repeat(100)}`;
      expect(redact(text)).toBe(`${' '.repeat(before)}[redacted:anthropic-key]${' x'.repeat(100)}`);
    }
  });

  test('all other text is unchanged, including colours', () => {
    const text = '\u001B[32mok\u001B[0m 1\u200B2\nnext\r\n';
    expect(redact(text)).toBe(text);
  });

  test('are also removed when the text begins with such a character', () => {
    expect(redact(`\u200B${inTheMiddle('\u200B')}`)).toBe('[redacted:anthropic-key]');
  });

  test.for([
    ['\n', '\n'],
    ['\r', '\r'],
    ['\r\n', '\r\n'],
    ['\r', '\n'],
    ['\n', '\r'],
  ])('cost only their own line its colours: lines ended by %j and %j', ([one = '', other = '']) => {
    const bold = (text: string) => `\u001B[1m${text}\u001B[0m`;
    const around = [`${bold('a')}${one}${bold('b')}${other}`, `${bold('c')}${one}${bold('d')}`] as const;
    const hidden = `${bold('key')} ${inTheMiddle('\u200B')}`;
    expect(redact(`${around[0]}${hidden}${other}${around[1]}`)).toBe(
      `${around[0]}key [redacted:anthropic-key]${other}${around[1]}`,
    );
  });

  test('are looked for in a line of up to 1,024 characters, and a longer one loses its colours in any case', () => {
    const [bold, plain] = ['\u001B[1mb\u001B[0m', 'b'];
    const fitting = `${'x'.repeat(1014)}${bold}\n`;
    expect(fitting).toHaveLength(1024);
    expect(redact(fitting)).toBe(fitting);
    expect(redact(`x${fitting}${bold}\n`)).toBe(`x${'x'.repeat(1014)}${plain}\n${bold}\n`);
    expect(redact(`${bold}${'x'.repeat(3000)}${bold}\n${bold}`)).toBe(`b${'x'.repeat(3000)}b\n${bold}`);
    expect(redact(`${'x'.repeat(1015)}${bold}`)).toBe(`${'x'.repeat(1015)}${bold}`);
  });

  const body = [
    'MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj',
    'MzEfYyjiWA4R4/M2bS1GB4t7NXp98C3SC6dVMvDuictGeurT8jNbvJZHtCSuYEvu',
    'abcd',
  ];
  const [begin, end] = ['-----BEGIN PRIVATE KEY-----', '-----END PRIVATE KEY-----'];
  const hasBody = (text: string): boolean => body.some((line) => text.includes(line.slice(0, 20)));

  test.for(['> ', '| ', '# ', ' * ', '+', '    12\t', '"'])(
    'in a private key that is quoted by %j are removed',
    (mark) => {
      const text = [begin, ...body, end].map((line) => `${mark}${line}\n`).join('');
      expect(hasBody(redact(`${text}after\n`))).toBe(false);
      expect(hasBody(redact(`${[...body, end].map((line) => `${mark}${line}\r\n`).join('')}after\n`))).toBe(
        false,
      );
    },
  );

  test('in a private key without its beginning are removed, and a certificate stays', () => {
    expect(redact(`x\n${[...body, end].join('\n')}\ny`)).toBe(`x\n[redacted:private-key]\n${end}\ny`);
    const certificate = ['-----BEGIN CERTIFICATE-----', ...body, '-----END CERTIFICATE-----', ''].join('\n');
    expect(redact(certificate)).toBe(certificate);
  });

  test.for([
    ['blank lines before its end', [...body, '', '  ', end], ['[redacted:private-key]', end]],
    ['no body', ['a', end, 'b'], ['a', end, 'b']],
    ['a word before its end', [...body, 'two words', end], [...body, 'two words', end]],
    ['a hash as its body', ['3f2c9d0a'.repeat(8), end], ['3f2c9d0a'.repeat(8), end]],
    ['a body in capitals', ['ABCD'.repeat(16), end], ['ABCD'.repeat(16), end]],
    ['a short body', ['aB3/'.repeat(9), end], ['aB3/'.repeat(9), end]],
    [
      'a name',
      [...body, '-----END OPENSSH PRIVATE KEY-----'],
      ['[redacted:private-key]', '-----END OPENSSH PRIVATE KEY-----'],
    ],
  ] as const)('and an end of a private key with %s', ([, lines, shown]) => {
    expect(redact(lines.map((line) => `${line}\n`).join(''))).toBe(shown.map((line) => `${line}\n`).join(''));
  });

  test('in a private key whose lines are coloured are removed, and the text behind it keeps its colours', () => {
    const coloured = (lines: readonly string[]) =>
      lines.map((line) => `\u001B[32m${line}\u001B[0m\n`).join('');
    const lines = [begin, 'Proc-Type: 4,ENCRYPTED', '', ...body, end];
    const after = coloured(['after', 'it']);
    expect(hasBody(redact(coloured(lines)))).toBe(false);
    expect(redact(coloured(lines)).endsWith('[redacted:private-key]\n')).toBe(true);
    expect(redact(`${coloured(lines)}${after}`).endsWith(after)).toBe(true);
    expect(redact(`{"key": "${begin}\\nabc\\n${end}"}\n${after}`).endsWith(after)).toBe(true);
    expect(redact(`${begin}\n(see the manual)\n${after}`).endsWith(after)).toBe(true);
    expect(redact(coloured(body))).toBe(coloured(body));
  });

  test('base64 that no end of a key follows is shown, and held back by at most 16 KiB', () => {
    const text = `${'aB3/'.repeat(16)}\n`.repeat(600);
    const stream = createRedactor({ secrets: [] }).stream();
    const shown = stream.push(text);
    expect(text.length - shown.length).toBeLessThan(18 * 1024);
    expect(shown + stream.end()).toBe(text);
  });

  test('as known values in base64, hex and URLs are removed', () => {
    const value = 'Zq7-known value?-9';
    const known = createRedactor({ secrets: [value] });
    const written = [
      ...['', 'a', 'ab'].map((before) => Buffer.from(`${before}${value} and more`).toString('base64')),
      Buffer.from(`a${value}`).toString('base64url'),
      Buffer.from(value).toString('hex'),
      Buffer.from(value).toString('hex').toUpperCase(),
      encodeURIComponent(value).replaceAll('%20', '+'),
      Buffer.from(value).toString('hex').replaceAll(/../g, '%$&'),
    ];
    expect(written.filter((text) => !known.redact(text).includes('[redacted:secret]'))).toEqual([]);
  });
});
