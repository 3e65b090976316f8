/** Made up, in the shape of the real ones; broken by ¦ so that no scanner takes this file for a leak. */
const SHAPES: Readonly<Record<string, readonly string[]>> = {
  'anthropic-key': ['sk-ant-¦api03-A1b2C3d4E5f6G7h8'],
  'openai-key': ['sk-¦proj-a1b2c3d4e5f6g7h8i9j0', 'sk-¦A1b2C3d4E5f6G7h8I9j0K1'],
  'aws-access-key': ['AKIA¦IOSFODNN7EXAMPLE'],
  'aws-secret-key': ['aws_secret_access_key = ¦wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY'],
  'google-key': ['AIza¦SyA1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q'],
  'github-token': ['ghp_¦a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'],
  'slack-token': ['xoxb-¦123456789012-abcdefABCDEF'],
  'slack-webhook': ['https://hooks.slack.com/services/¦T0000AAAA/B0000AAAA/a1b2c3d4e5f6'],
  'stripe-key': ['sk_live_¦a1B2c3D4e5F6g7H8'],
  'npm-token': ['npm_¦a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'],
  'private-key': [
    '-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n\nMIIEpAIBAAK+/CAQEA\nabc=\n-----END RSA PRIVATE KEY-----',
    String.raw`-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBg\n-----END PRIVATE KEY-----\n`,
  ],
  authorization: [
    'Authorization: Bearer abcdefgh',
    '"authorization": "Basic dXNlcjpwYXNz"',
    'bearer a1b2c3d4e5f6g7h8',
  ],
  jwt: ['¦eyJhbGciOiJIUzI1NiJ9.¦eyJzdWIiOiIxMjM0NTY3ODkwIn0.¦dozjgNryP4J3jVmNHl0w5N'],
  'url-password': ['postgres://app:hunter2@db.internal:5432/shop', 'https://user:p%40ss@example.com'],
  'connection-string': [
    'Server=db;User=sa;Password=hunter2x;Encrypt=yes',
    'DefaultEndpointsProtocol=https;AccountName=a;AccountKey=abcd1234+/==;',
  ],
  assignment: ['export DB_PASSWORD=hunter2x', 'GITHUB_TOKEN=abcdef', 'curl --token abcdef12'],
  field: ['{"password": "hunter2x9"}', "api_key: 'abcd1234efgh'", 'accessToken = "abcd1234efgh"'],
};

/** By the name of the pattern that finds them. */
export const SECRETS: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  Object.entries(SHAPES).map(([name, shapes]) => [name, shapes.map((shape) => shape.replaceAll('¦', ''))]),
);
