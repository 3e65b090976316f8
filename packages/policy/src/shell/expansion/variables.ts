import type * as ast from 'unbash';
import type { EvaluationContext } from '../program.ts';
import { UNKNOWN_VARIABLE, type Variable } from '../state.ts';
import { PLAIN } from '../word.ts';

const SECRET_VARIABLE =
  /^(?:PGPASSWORD|MYSQL_PWD|DATABASE_URL|REDIS_URL|MONGO(?:DB)?_URI|SSHPASS)$|(?:OPENAI|ANTHROPIC|STRIPE|SENDGRID|MAILGUN|TWILIO|DEEPSEEK|GEMINI|HEROKU|DATADOG|SENTRY)_(?:KEY|AUTH)|(?:^|_)(?:CONNECTION_STRING|DSN)$|(?:^|_)(?:SECRET|TOKEN|PASSWORD|PASSWD|PASSPHRASE|API_?KEY|PRIVATE_?KEY|ACCESS_?KEY|SECRET_?KEY|CREDENTIALS?)(?:_|$)|(?:^|_)PAT$/i;

/** Whether a variable of that name holds a secret of its owner. */
export function isSecretVariable(name: string): boolean {
  return SECRET_VARIABLE.test(name);
}

/** The known value of `$name` here. */
export function readVariable(name: string, context: EvaluationContext, part: ast.WordPart): Variable {
  const { state, lineContext, report } = context;
  const known = state.variables.get(name);
  if (known !== undefined) return known;
  if (name === 'HOME') return { value: { kind: 'literal', text: lineContext.home }, origin: PLAIN };
  if (name === 'PWD' && state.cwd !== undefined) {
    return { value: { kind: 'literal', text: state.cwd }, origin: PLAIN };
  }
  if (isSecretVariable(name)) {
    report.raise('dangerous', 'secret-variable', {
      text: `uses a secret from the environment: $${name}`,
      span: context.spanOf(part),
    });
  }
  return UNKNOWN_VARIABLE;
}
