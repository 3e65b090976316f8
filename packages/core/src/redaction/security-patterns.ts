/** The kind of secret that a pattern finds (S001-46). */
export type SecretCategory =
  | 'model_key'
  | 'cloud_key'
  | 'service_token'
  | 'private_key'
  | 'session_token'
  | 'password';

/**
 * How a secret is found in a stream: its first characters by a regular expression, the rest by a run.
 *
 * `start` has a bound on its length (look-ahead included, {@link LONGEST_START}) and matches no line break, so that a
 * stream knows how much it must hold back, and no input costs more than linear time. Its first group, if it has one,
 * stays readable: the name of the variable, the user of the URL.
 */
export type SecretPattern = {
  readonly name: string;
  readonly category: SecretCategory;
  readonly start: RegExp;
  /** Characters that continue the secret. Sticky. */
  readonly rest: RegExp;
  /** Ends the secret although `rest` would go on. */
  readonly until?: RegExp;
};

/** Upper bound of what a `start` looks at, in UTF-16 units. */
export const LONGEST_START = 1024;

/** 17 patterns in 6 categories (M3). The first that matches at a position gives its name. */
export const SECURITY_PATTERNS: readonly SecretPattern[] = [
  {
    name: 'anthropic-key',
    category: 'model_key',
    start: /(?<![A-Za-z0-9])sk-ant-[A-Za-z0-9_-]{16}/g,
    rest: /[A-Za-z0-9_-]*/y,
  },
  {
    name: 'openai-key',
    category: 'model_key',
    // A digit distinguishes a key from a name such as `sk-folding-cube-animation`.
    start: /(?<![A-Za-z0-9])sk-(?=[A-Za-z0-9_-]{0,60}\d)[A-Za-z0-9_-]{20}/g,
    rest: /[A-Za-z0-9_-]*/y,
  },
  {
    name: 'aws-access-key',
    category: 'cloud_key',
    start: /(?<![A-Za-z0-9])(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}(?![A-Za-z0-9])/g,
    rest: /(?:)/y,
  },
  {
    name: 'aws-secret-key',
    category: 'cloud_key',
    start: /(secret_?access_?key["']?[ \t]{0,4}[:=][ \t]{0,4}["']?)[A-Za-z0-9/+]{40}/gi,
    rest: /[A-Za-z0-9/+=]*/y,
  },
  {
    name: 'google-key',
    category: 'cloud_key',
    start: /(?<![A-Za-z0-9])(?:AIza[A-Za-z0-9_-]{35}|ya29\.[A-Za-z0-9_-]{20})/g,
    rest: /[A-Za-z0-9_-]*/y,
  },
  {
    name: 'github-token',
    category: 'service_token',
    start: /(?<![A-Za-z0-9_])(?:gh[pousr]_[A-Za-z0-9]{30}|github_pat_[A-Za-z0-9_]{30})/g,
    rest: /[A-Za-z0-9_]*/y,
  },
  {
    name: 'slack-token',
    category: 'service_token',
    start: /(?<![A-Za-z0-9])(?:xox[abeprs]|xapp)-(?=[A-Za-z0-9-]{0,40}\d)[A-Za-z0-9-]{10}/g,
    rest: /[A-Za-z0-9-]*/y,
  },
  {
    name: 'slack-webhook',
    category: 'service_token',
    start: /(hooks\.slack\.com\/(?:services|workflows)\/)[A-Za-z0-9/]{16}/g,
    rest: /[A-Za-z0-9/]*/y,
  },
  {
    name: 'stripe-key',
    category: 'service_token',
    start: /(?<![A-Za-z0-9])(?:(?:sk|rk|pk)_(?:live|test)_|whsec_)[A-Za-z0-9]{16}/g,
    rest: /[A-Za-z0-9]*/y,
  },
  {
    name: 'npm-token',
    category: 'service_token',
    start: /(?<![A-Za-z0-9_])npm_[A-Za-z0-9]{30}/g,
    rest: /[A-Za-z0-9]*/y,
  },
  {
    name: 'private-key',
    category: 'private_key',
    start: /-----BEGIN (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----/g,
    // Also `\n` written as two characters, as in JSON and .env files, and lines that are quoted or numbered.
    rest: /[A-Za-z0-9+/=\\\s:,.>|#*;"'-]*/y,
    until: /-----END (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----/g,
  },
  {
    name: 'authorization',
    category: 'session_token',
    start:
      /(authorization["']?[ \t]{0,4}[:=][ \t]{0,4}["']?(?:bearer|basic|token|digest)[ \t]{1,4}|(?<![a-z])bearer[ \t]{1,4}(?=[\w+/=.~-]{0,60}\d)(?=[\w+/=.~-]{16}))[\w+/=.~-]{6}/gi,
    rest: /[\w+/=.~-]*/y,
  },
  {
    name: 'jwt',
    category: 'session_token',
    start: /(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{8}(?=[A-Za-z0-9_-]{0,600}\.eyJ)/g,
    rest: /[A-Za-z0-9_.-]*/y,
  },
  {
    name: 'url-password',
    category: 'password',
    start:
      /(?<![a-z0-9])([a-z][a-z0-9+.-]{1,20}:\/\/[^\s:@/]{0,64}:)(?![$<{*]|\[redacted)(?=[^\s@/]{1,256}@)/gi,
    rest: /[^\s@/]*/y,
  },
  {
    name: 'connection-string',
    category: 'password',
    start:
      /((?:accountkey|sharedaccesskey|(?<=;[ \t]{0,2})(?:password|pwd))[ \t]{0,2}=[ \t]{0,2})[^;\s"'[$<{]{4}/gi,
    rest: /[^;\s"']*/y,
  },
  {
    name: 'assignment',
    category: 'password',
    // `DB_PASSWORD=…` and `--token …`; not `TOKENIZER=…`, `MAX_TOKENS=4096`, `TOKEN_FILE=/run/…` or `TOKEN=$1`.
    start:
      /((?:(?:PASSWORD|PASSWD|PASSPHRASE|SECRET|TOKEN|API_?KEY|PRIVATE_KEY|ACCESS_KEY|CREDENTIAL)S?(?:_[A-Z0-9_]{0,24})?=|(?<![\w-])--?(?:password|passwd|passphrase|secret|token|api-?key|access-token)[= ])["']?)(?!https?:|\.{0,2}\/|process\.|os\.)(?=[^\s"'`;&|<>(){}$,[\]\\]{0,32}[A-Za-z])[^\s"'`;&|<>(){}$,[\]\\]{6}/g,
    rest: /[^\s"'`;&|<>(){}$,[\]\\]*/y,
  },
  {
    name: 'field',
    category: 'password',
    // A quoted value with a digit, so that code such as `token: 'identifier'` stays readable.
    start:
      /((?:password|passwd|passphrase|secret|token|api[_-]?key|private[_-]?key|access[_-]?key|credential)(?:s|[_-]?(?:key|value|secret|token))?["']?[ \t]{0,4}[:=][ \t]{0,4}["'`])(?=[^"'`\s${}<>[\]]{0,64}\d)[^"'`\s${}<>[\]]{8}/gi,
    rest: /[^"'`\s]*/y,
  },
];
