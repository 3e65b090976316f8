import { UsageError } from '@signalbox/core';

/** @throws {UsageError} `bad-base-url` unless `baseUrl` is an absolute http(s) URL without a password */
export function checkBaseUrl(providerId: string, baseUrl: string): string {
  const url = URL.parse(baseUrl);
  const plain = url !== null && url.username === '' && url.password === '';
  if (plain && (url.protocol === 'https:' || url.protocol === 'http:')) return baseUrl;
  // The URL is not shown: it may hold a password.
  throw new UsageError('bad-base-url', `Cannot use provider "${providerId}": its base URL is not usable`, {
    next: ['give an absolute http or https URL, and the key apart from it'],
  });
}
