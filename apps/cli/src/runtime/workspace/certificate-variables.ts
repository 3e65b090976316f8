/** Environment variables that tell programs which certificates to trust, each a file. */
export const CERTIFICATE_VARIABLES = [
  'NODE_EXTRA_CA_CERTS',
  'SSL_CERT_FILE',
  'REQUESTS_CA_BUNDLE',
  'GIT_SSL_CAINFO',
  'PIP_CERT',
  'CURL_CA_BUNDLE',
] as const;
