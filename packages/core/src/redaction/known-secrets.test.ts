import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createRedactor } from './redactor.ts';

const SHOWN = '[redacted:secret]';

describe('known secrets', () => {
  const open = () =>
    createRedactor({ secrets: ['correct horse "battery"', 'short', 'line-one-1\nline-two-2', ''] });

  test('are removed everywhere, also as JSON and URLs write them', () => {
    expect(
      open().redact(
        'a correct horse "battery" b correct horse \\"battery\\" c correct%20horse%20%22battery%22 d',
      ),
    ).toBe(`a ${SHOWN} b ${SHOWN} c ${SHOWN} d`);
  });

  test('of several lines are removed line by line, and short lines are kept as words', () => {
    expect(open().redact('line-two-2 line-one-1 short')).toBe(`${SHOWN} ${SHOWN} short`);
  });

  test('are removed completely when a pattern would have ended within them', () => {
    const { redact } = createRedactor({ secrets: ['abcdef"ghijkl'] });
    expect(redact('PASSWORD=abcdef"ghijkl')).not.toMatch(/abc|ghi/);
  });

  test('count from 8 characters on: shorter ones are words', () => {
    const { redact } = createRedactor({ secrets: ['ollama', '1234567', '12345678'] });
    expect(redact('ollama 1234567 12345678 end')).toBe(`ollama 1234567 ${SHOWN} end`);
  });

  test('of indented lines are found without their indentation', () => {
    const { redact } = createRedactor({ secrets: ['key: |\r\n    first-part\r\n    second-part  '] });
    expect(redact('first-part,second-part')).toBe(`${SHOWN},${SHOWN}`);
  });

  test.for([
    [['battery-1', 'battery-1-staple', 'battery-1-staple-horse']],
    [['battery-1-staple-horse', 'battery-1-staple', 'battery-1']],
    [['battery-1-staple', 'battery-1-staple-horse', 'battery-1']],
  ])('that begin with one another are removed whole: %j', ([secrets = []]) => {
    const { redact } = createRedactor({ secrets });
    expect(redact('battery-1-staple-horse battery-1-staple battery-1')).toBe(`${SHOWN} ${SHOWN} ${SHOWN}`);
  });

  test('are removed as they are, not as regular expressions', () => {
    const { redact } = createRedactor({ secrets: [String.raw`a.b*c+d?(e)[f]{g}|h^i$j\k`, 'axbxxcxd'] });
    expect(redact(String.raw`<a.b*c+d?(e)[f]{g}|h^i$j\k> aXb*c+d?(e)[f]{g}`)).toBe(
      `<${SHOWN}> aXb*c+d?(e)[f]{g}`,
    );
  });

  test('with half a surrogate pair are removed too', () => {
    const { redact } = createRedactor({ secrets: ['half-\uD83D-pair'] });
    expect(redact('half-\uD83D-pair')).toBe(SHOWN);
  });
});

describe('a known secret is removed, and nothing beside it,', () => {
  const open = () =>
    createRedactor({ secrets: ['correct-horse', 'Zq7~?>known/9', 'zoe: café/crème', 'say "hello"'] });

  test.for([
    ['in JSON', String.raw`{"k":"say \"hello\""}`, `{"k":"${SHOWN}"}`],
    ['in a URL', '?k=Zq7~%3F%3Eknown%2F9&x', `?k=${SHOWN}&x`],
    ['in a URL with small hex digits', '?k=Zq7~%3f%3eknown%2f9&x', `?k=${SHOWN}&x`],
    ['in a form', 'k=zoe%3A+caf%C3%A9%2Fcr%C3%A8me&x', `k=${SHOWN}&x`],
    ['in hex', '<636f72726563742d686f727365>', `<${SHOWN}>`],
    ['in capital hex', '<636F72726563742D686F727365>', `<${SHOWN}>`],
    ['with each byte escaped', '<%63%6f%72%72%65%63%74%2d%68%6f%72%73%65>', `<${SHOWN}>`],
    ['with each byte escaped in capitals', '<%63%6F%72%72%65%63%74%2D%68%6F%72%73%65>', `<${SHOWN}>`],
    // The characters at both ends also depend on the bytes beside the secret.
    ['in base64', 'Y29ycmVjdC1ob3JzZSBtb3Jl', `${SHOWN}SBtb3Jl`],
    ['in base64 after 1 byte', 'YWNvcnJlY3QtaG9yc2UgbW9yZQ==', `YW${SHOWN}UgbW9yZQ==`],
    ['in base64 after 2 bytes', 'YWJjb3JyZWN0LWhvcnNlIG1vcmU=', `YWJ${SHOWN}IG1vcmU=`],
    ['in base64url', 'WnE3fj8-a25vd24vOQ', `${SHOWN}Q`],
    ['in base64url after 1 byte', 'YVpxN34_Pmtub3duLzk', `YV${SHOWN}k`],
    ['in base64url after 2 bytes', 'YWJacTd-Pz5rbm93bi85', `YWJ${SHOWN}`],
  ])('%s', ([, text = '', shown]) => {
    expect(open().redact(text)).toBe(shown);
  });

  test('in base64, whatever is before and after it (property)', () => {
    const { redact } = open();
    const bytes = fc.uint8Array({ maxLength: 9 });
    fc.assert(
      fc.property(
        bytes,
        bytes,
        fc.constantFrom<BufferEncoding>('base64', 'base64url'),
        (before, after, as) => {
          const text = Buffer.concat([before, Buffer.from('correct-horse'), after]).toString(as);
          expect(redact(text)).toContain(SHOWN);
        },
      ),
    );
  });
});

test('a secret that is longer than any pattern is also removed from a line that arrives in chunks', () => {
  // A service account's key file on one line has over 2,000 characters.
  const secret = `{"id":"${'horse battery '.repeat(180)}"}`;
  const stream = createRedactor({ secrets: [secret] }).stream();
  const whole = `${'x'.repeat(3000)}${secret}${'y'.repeat(3000)}`;
  let shown = '';
  for (let at = 0; at < whole.length; at += 500) shown += stream.push(whole.slice(at, at + 500));
  expect(shown + stream.end()).toBe(`${'x'.repeat(3000)}${SHOWN}${'y'.repeat(3000)}`);
});

describe('add()', () => {
  test('redacts secrets from then on, also beside known ones, and keeps the earlier ones', () => {
    const redactor = createRedactor({ secrets: ['horse-battery-1'] });
    expect(redactor.redact('horse-battery-1 horse-battery-2')).toBe(`${SHOWN} horse-battery-2`);
    redactor.add(['horse-battery-1', 'horse-battery-2']);
    redactor.add([]);
    expect(redactor.redact('horse-battery-1 horse-battery-2')).toBe(`${SHOWN} ${SHOWN}`);
  });

  test('makes a long text be redacted again', () => {
    const redactor = createRedactor({ secrets: [] });
    const text = `${'a b\n'.repeat(20_000)}horse-battery-1`;
    expect(redactor.redact(text)).toBe(text);
    expect(redactor.redact(`${text}, TOKEN=abcdef12`)).toMatch(/TOKEN=\[redacted:assignment\]$/);
    redactor.add(['horse-battery-1']);
    expect(redactor.redact(text)).toMatch(/\[redacted:secret\]$/);
  });
});
