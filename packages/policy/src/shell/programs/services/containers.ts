import { locate } from '../../paths/paths.ts';
import { isAboveSecrets, isSecret, isSecretFolder } from '../../paths/path-words.ts';
import { definePrograms, type Invocation, type EvaluationContext, WRITES_UNKNOWN } from '../../program.ts';
import { touchRead, touchWrite } from '../../paths/touch.ts';
import { after, beginningOf, textOf, type Word } from '../../word.ts';
import { defineClient } from './define-client.ts';

/** Clients of containers. */
export const containers = definePrograms(
  defineClient({
    names: ['docker', 'podman', 'nerdctl', 'docker-compose', 'podman-compose', 'buildah', 'crictl', 'skopeo'],
    depth: 3,
    local:
      /^(?:help|(?:compose|buildx) version|compose(?: -f [\w./-]+)? config(?: --?(?:q|quiet|services|volumes|profiles|images))+)$/,
    groups: /^(?:context|plugin|service|stack|swarm|config|node|builder|buildx)$/,
    reads:
      /^(?:ps|images|logs|inspect|version|info|ls|stats|top|port|history|search|config|df|events|diff|build|up|pull|start|stop|restart|compose|image|container|network|volume|system|run|exec|down|create|tag|wait|pause|unpause|cp)$/,
    changes:
      /^(?:rm|rmi|prune|kill|push|login|logout|commit|import|load|save|export|swarm|service|stack|secret|plugin|context|update|attach)$/,
    judge: judgeContainers,
    examples: {
      warning: [
        'docker ps',
        'docker compose up',
        'docker build -t x .',
        'docker logs x',
        'docker run --rm alpine ls',
        'docker compose down',
        'docker compose --dry-run up',
        'docker context ls',
      ],
      safe: ['docker system prune --help', 'docker compose config -q', 'docker compose version'],
      dangerous: [
        'docker rm -f x',
        'docker system prune -af',
        'docker push x',
        'docker exec x rm -rf lib',
        'docker exec x dropdb app',
        'docker context rm ls',
        'docker run -v ~/.ssh:/k alpine ls',
        'docker run -v ./.env:/e alpine ls',
        'docker run -v ~/:/h alpine ls',
        'docker compose down -v',
      ],
      blocked: [
        'docker run --privileged alpine',
        'docker run -v /:/host alpine',
        'docker run -v /var/run/docker.sock:/x alpine',
      ],
    },
  }),
);

/** Verbs of containers that only read; a program in a container may write into the workspace. */
const WATCHES =
  /^(?:ps|images|logs|inspect|version|info|ls|stats|top|port|history|search|events|diff|df|list|config|help|wait)$/;

/** Verbs that are followed by the action. */
const GROUPS = /^(?:compose|image|container|network|volume|system|builder|buildx)$/;

/** Programs that matter inside a container too. */
const INSIDE =
  /^(?:rm|sudo|sh|bash|ash|env|chmod|chown|dd|curl|wget|psql|mysql|mariadb|mongo|mongosh|redis-cli|sqlite3|dropdb|pg_restore|python3?|node|perl|ruby|php|rails|rake|npm|npx|mix|cat|find|kill|pkill)$/;

function judgeContainers(invocation: Invocation): void {
  const { words, context, span } = invocation;
  const [first = '', second = ''] = words
    .map((word) => textOf(word) ?? '?')
    .filter((text) => !text.startsWith('-'));
  if (!WATCHES.test(GROUPS.test(first) ? second : first)) context.report.effect(WRITES_UNKNOWN);
  const at = words.findIndex((word) => /^(?:exec|run|down|up)$/.test(beginningOf(word)));
  const verb = textOf(words[at]);
  if (verb === 'down' && words.some((word) => /^-v$|^--(?:volumes|rmi)/.test(beginningOf(word))))
    context.report.raise('dangerous', 'service-change', { text: 'deletes volumes or images', span });
  if (verb === 'exec' || verb === 'run') runInside(words.slice(at + 1), context);
  judgeCopying(invocation);
  judgeRights(invocation);
}

/** A program in a container is judged loosely: the container may hold the workspace. */
function runInside(words: readonly Word[], context: EvaluationContext): void {
  const start = words.findIndex((word) => INSIDE.test(textOf(word) ?? ''));
  if (start >= 0) context.walk.runWords(words.slice(start), { ...context, state: { ...context.state } });
}

/** `docker cp x:/a b`. */
function judgeCopying({ words, context, span }: Invocation): void {
  const at = words.findIndex((word) => textOf(word) === 'cp');
  const target = words.at(-1);
  if (at === 0 && target !== undefined && !beginningOf(target).includes(':'))
    touchWrite(context, target, { scope: 'tree' });
  if (at >= 0 && words.some((word) => isSecret(beginningOf(word).replace(/^[^:]*:/, ''))))
    context.report.raise('dangerous', 'reads-secret', {
      text: 'copies a secret into or out of a container',
      span,
    });
}

/** Options that give a container rights, folders or variables of this machine. */
function judgeRights({ words, context, span }: Invocation): void {
  for (const [at, word] of words.entries()) {
    const text = beginningOf(word);
    const next = text.includes('=') ? after(word, text.indexOf('=') + 1) : words[at + 1];
    if (RIGHTS.test(text))
      context.report.raise('blocked', 'privilege', {
        text: 'gives a container control of the machine',
        span,
      });
    if (text.startsWith('--env-file') && next !== undefined) touchRead(context, next);
    const isGlued = /^-v./.test(text) && !text.includes('=');
    if (isGlued) judgeMount(text.slice(2), word, context);
    else if (/^(?:-v|--volume|--mount)(?:=|$)|^-v./.test(text))
      judgeMount(beginningOf(next ?? word), word, context);
  }
}

const RIGHTS = /^--(?:privileged(?!=false)|cap-add|security-opt|device|pid|userns|uts|ipc|cgroupns)/;

/** `/a:/b`, `type=bind,source=/a,target=/b`. */
function judgeMount(mount: string, word: Word, context: EvaluationContext): void {
  const path = mountedBy(mount, context);
  const isAbsolute = /(?:^|source=|src=)[/~$]/.test(mount);
  if (isSecret(path) || (isAbsolute && (isSecretFolder(path) || isAboveSecrets(path))))
    context.report.raise('dangerous', 'reads-secret', {
      text: 'passes a secret to a container',
      span: word.span,
    });
  if (/(?:^|source=|src=)\/(?::|,|$|etc|root|var\/run|run|proc|sys|dev|home|usr|boot)/.test(mount))
    context.report.raise('blocked', 'privilege', {
      text: 'mounts system folders into a container',
      span: word.span,
    });
}

/** The text before the colon, or after `source=`. */
function mountedBy(mount: string, { state, lineContext }: EvaluationContext): string {
  const path = mount.replace(/^(?:[^/~$:]*,)?(?:source|src)=/, '').replace(/[:,].*$/s, '');
  return locate(path, state.cwd, lineContext)?.path ?? path;
}
