/** Nothing loads from elsewhere, no page may frame us, and no browser guesses a content type. */
export function safeHeaders({ tls }: { readonly tls: boolean }): Readonly<Record<string, string>> {
  return {
    'content-security-policy': CONTENT_POLICY.join(';'),
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'origin-agent-cluster': '?1',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    ...(tls ? { 'strict-transport-security': 'max-age=31536000' } : {}),
  };
}

const CONTENT_POLICY = [
  "default-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
] as const;
