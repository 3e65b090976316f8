import { describe, expect, test } from 'vitest';
import { createRedactor } from './redactor.ts';

const { redact } = createRedactor({ secrets: [] });

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
