import { definePrograms, type Invocation, named, type Scene, WRITES_UNKNOWN } from '../program.ts';
import { locate } from '../paths.ts';
import { isSecret, isSecretFolder } from '../places.ts';
import { touchRead, touchWrite } from '../touch.ts';
import { after, beginningOf, textOf } from '../word.ts';
import { judgeCluster } from './clusters.ts';
import { type Client, defineClient } from './define-client.ts';

const VERSION = /^(?:version|help|--version|-V|-v|--help)$/;

/** Clients of clusters, and of what is installed there. */
const CLUSTERS = {
  groups: /^(?:rollout|config|auth)$/,
  looks:
    /^(?:get|describe|logs|top|explain|api-resources|api-versions|cluster-info|version|diff|list|ls|status|history|show|template|lint|search|events|auth|build|current-context|get-contexts|view|repo|dependency|dep)$/,
  writes:
    /^(?:--output-dir|--output-directory|--destination|pull|package|fetch|completion|cluster-info|repo|dep)/,
  acts: /^(?:secrets?|delete|apply|create|replace|patch|edit|scale|rollout|drain|cordon|uncordon|taint|exec|cp|run|expose|annotate|label|set|autoscale|port-forward|proxy|attach|debug|reconcile|certificate|install|upgrade|uninstall|rollback|push|sync|use-context|set-context|set-cluster|delete-context)$/,
  otherwise: 'dangerous',
  judge: judgeCluster,
} satisfies Partial<Client>;

/** Clients of containers, clusters and clouds. */
export const services = definePrograms(
  defineClient({
    names: ['docker', 'podman', 'nerdctl', 'docker-compose', 'podman-compose', 'buildah', 'crictl', 'skopeo'],
    depth: 3,
    groups: /^(?:context|plugin|service|stack|swarm|config|node|builder|buildx)$/,
    looks:
      /^(?:ps|images|logs|inspect|version|info|ls|stats|top|port|history|search|config|df|events|diff|build|up|pull|start|stop|restart|compose|image|container|network|volume|system|run|exec|down|create|tag|wait|pause|unpause|cp)$/,
    acts: /^(?:rm|rmi|prune|kill|push|login|logout|commit|import|load|save|export|swarm|service|stack|secret|plugin|context|update|attach)$/,
    judge: judgeDocker,
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
      safe: ['docker system prune --help'],
      dangerous: [
        'docker rm -f x',
        'docker system prune -af',
        'docker push x',
        'docker exec x rm -rf lib',
        'docker exec x dropdb app',
        'docker context rm ls',
        'docker run -v ~/.ssh:/k alpine ls',
        'docker compose down -v',
      ],
      blocked: [
        'docker run --privileged alpine',
        'docker run -v /:/host alpine',
        'docker run -v /var/run/docker.sock:/x alpine',
      ],
    },
  }),
  defineClient({
    ...CLUSTERS,
    names: ['helm'],
    local: /^(?:help|completion|lint|template|version)$/,
    examples: {
      safe: [
        'helm version',
        'helm lint ./c',
        'helm template x ./c',
        'helm template x ./c -f env/values.yaml',
      ],
      warning: [
        'helm template x bitnami/redis',
        'helm template x ./c --output-dir out',
        'helm list',
        'helm dependency update c',
      ],
      dangerous: ['helm upgrade x y', 'helm template x ./c --post-renderer ./x'],
    },
  }),
  defineClient({
    ...CLUSTERS,
    names: named('kubectl oc k9s kustomize flux argocd istioctl kubectx kubens k3s minikube kind eksctl'),
    local: /^(?:help|completion|options|lint|template|kustomize|version --client.*|version --short)$/,
    examples: {
      safe: ['kubectl version --client', 'kubectl kustomize ./c'],
      warning: [
        'kubectl get svc',
        'kubectl logs x',
        'kubectl config view',
        'kubectl rollout status deploy/x',
        'kubectl apply --dry-run=client -f a.yaml',
      ],
      dangerous: [
        'kubectl exec x -- y --dry-run',
        'kubectl kustomize https://x.example',
        'kubectl config view --raw',
        'kubectl create token x',
        'kubectl delete pod api-0',
        'kubectl apply -f x.yaml',
        'kubectl get secret x -o yaml',
        'kubectl exec x -- ls',
      ],
    },
  }),
  defineClient({
    names: named(
      'terraform tofu terragrunt pulumi cdk ansible ansible-playbook packer vagrant serverless sls sam chef puppet salt skaffold cap kamal nomad-pack copilot amplify',
    ),
    looks:
      /^(?:plan|show|output|providers|graph|init|get|preview|state|workspace|list|ls|diff|synth|status|console|refresh|test)$/,
    local: /^(?:version|fmt|validate|help)$/,
    writes: /^(?:init|get|synth|plan|providers|refresh|test|console|workspace|--?out(?:=|$))/,
    acts: /^(?:apply|destroy|import|taint|untaint|up|deploy|rm|mv|push|replace-provider|force-unlock|delete|remove|cancel|bootstrap|login|logout|halt|ssh)$/,
    otherwise: 'dangerous',
    judge: ({ words, scene, span, program }) => {
      const writes =
        textOf(words[0]) === 'fmt' && !words.some((word) => /^-{1,2}check/.test(textOf(word) ?? ''));
      if (writes) scene.report.raise('warning', 'formats', `${program} rewrites files`, span);
      if (writes) scene.report.effect(WRITES_UNKNOWN);
    },
    examples: {
      safe: ['terraform -help', 'terraform version', 'terraform validate', 'terraform fmt -check'],
      warning: ['terraform plan', 'terraform fmt', 'terraform init'],
      dangerous: ['terraform apply', 'terraform destroy', 'ansible-playbook x.yml', 'pulumi up'],
    },
  }),
  defineClient({
    names: named(
      'aws gcloud az doctl gsutil bq heroku fly flyctl vercel netlify wrangler firebase supabase railway render linode-cli hcloud s3cmd mc eb cf surge stripe twilio sentry-cli',
    ),
    depth: 4,
    groups: /^(?:run|configure|secrets)$/,
    looks:
      /^(?:ls|list|list-.*|describe.*|get-.*|get|show|status|info|whoami|logs|ps|head-.*|help|version|regions|scan|query|read|search|tail|batch-get-.*|filter-.*|lookup-.*|select)$/,
    acts: /^(?:rm|rb|mb|cp|mv|sync|delete.*|remove.*|terminate.*|create.*|put-.*|update.*|deploy.*|publish|apply|run|exec|ssh|start|stop|destroy|login|logout|set|unset|add|configure|promote|rollback|scale|secrets?.*|get-secret.*|get-session-token|get-login-password|print-access-token|invoke|env|configure|access|keys)$/,
    otherwise: 'dangerous',
    examples: {
      warning: [
        'aws s3 ls',
        'gcloud projects list',
        'heroku logs',
        'aws configure list',
        'gcloud run services describe x',
        'aws dynamodb scan --table-name x',
      ],
      dangerous: [
        'aws s3 rm s3://x --recursive',
        'gcloud app deploy',
        'vercel',
        'fly deploy',
        'aws secretsmanager get-secret-value',
        'gcloud auth print-access-token',
        'az account get-access-token',
        'aws ssm get-parameter --name x --with-decryption',
      ],
    },
  }),
  defineClient({
    names: ['gh', 'glab', 'hub', 'tea', 'jira', 'linear'],
    groups: /^(?:gist|alias|extension|variable|codespace|ssh-key|gpg-key|config|cache|label)$/,
    looks: /^(?:list|view|api|status|diff|checks|api|browse|search|ls|show|watch)$/,
    local: VERSION,
    writes: /^(?:clone|checkout|download|co|pull|-o|--output|--dir|-D)$/,
    acts: /^(?:create|merge|close|delete|edit|comment|review|reopen|secret|token|gist|rerun|cancel|transfer|archive|fork|sync|lock|ready|alias|extension|ssh-key|gpg-key|variable|codespace|upload|set|remove|push|deploy|config|enable|disable)$/,
    judge: judgeGithub,
    examples: {
      safe: ['gh --version'],
      warning: [
        'gh issue list',
        'gh pr view 3',
        'gh pr checks',
        'gh pr checkout 3',
        'gh run list',
        'gh alias list',
        'gh api repos/a/b',
      ],
      dangerous: [
        'gh pr merge 3',
        'gh release create v1',
        'gh api -X DELETE x',
        'gh auth token',
        'gh secret list',
        'gh repo delete x',
      ],
    },
  }),
);

/** Verbs of containers that only look; what runs in one may write into the workspace. */
const WATCHES =
  /^(?:ps|images|logs|inspect|version|info|ls|stats|top|port|history|search|events|diff|df|list|config|help|wait)$/;

/** Programs of which it matters that they run in a container too. */
const INSIDE =
  /^(?:rm|sudo|sh|bash|ash|env|chmod|chown|dd|curl|wget|psql|mysql|mariadb|mongo|mongosh|redis-cli|sqlite3|dropdb|pg_restore|python3?|node|perl|ruby|php|rails|rake|npm|npx|mix|cat|find|kill|pkill)$/;

function judgeDocker({ words, scene, span }: Invocation): void {
  const plain = words.map((word) => textOf(word) ?? '?').filter((text) => !text.startsWith('-'));
  const [first = '', second = ''] = plain;
  const looks = /^(?:compose|image|container|network|volume|system|builder|buildx)$/.test(first)
    ? second
    : first;
  if (!WATCHES.test(looks)) scene.report.effect(WRITES_UNKNOWN);
  const verb = words.findIndex((word) => /^(?:exec|run|down|up)$/.test(beginningOf(word)));
  const verbText = textOf(words[verb]);
  if (verbText === 'down' && words.some((word) => /^-v$|^--(?:volumes|rmi)/.test(beginningOf(word)))) {
    scene.report.raise('dangerous', 'service-change', 'deletes volumes or images', span);
  }
  const cp = words.findIndex((word) => textOf(word) === 'cp');
  const target = words.at(-1);
  if (cp === 0 && target !== undefined && !beginningOf(target).includes(':'))
    touchWrite(scene, target, 'tree');
  if (cp >= 0 && words.some((word) => isSecret(beginningOf(word).replace(/^[^:]*:/, ''))))
    scene.report.raise('dangerous', 'reads-secret', 'copies a secret into or out of a container', span);
  // What runs inside is judged loosely: a container may hold the workspace.
  for (const [at, word] of words.entries()) {
    if (verbText !== 'exec' && verbText !== 'run') break;
    if (at > verb && INSIDE.test(textOf(word) ?? '')) {
      scene.walk.runWords(words.slice(at), { ...scene, state: { ...scene.state } });
      break;
    }
  }
  for (const [at, word] of words.entries()) {
    const text = beginningOf(word);
    const value = text.includes('=') ? text.slice(text.indexOf('=') + 1) : beginningOf(words[at + 1] ?? word);
    const mounts = /^(?:-v|--volume|--mount)(?:=|$)/.test(text) || /^-v./.test(text);
    const source = /^-v./.test(text) && !text.includes('=') ? text.slice(2) : value;
    if (
      text === '--privileged' ||
      /^--(?:cap-add|security-opt|device|pid|userns|uts|ipc|cgroupns)/.test(text)
    ) {
      scene.report.raise('blocked', 'privilege', 'gives a container rights over the machine', span);
    }
    if (mounts && /(?:^|source=|src=)[/~$]/.test(source) && isSecretFolder(mountOf(source, scene)))
      scene.report.raise('dangerous', 'reads-secret', 'hands a secret to a container', word.span);
    if (
      mounts &&
      /(?:^|source=|src=)\/(?::|,|$|etc|root|var\/run|run|proc|sys|dev|home|usr|boot)/.test(source)
    ) {
      scene.report.raise('blocked', 'privilege', 'gives a container the machine itself', span);
    }
    if (text.startsWith('--env-file')) {
      const file = text.includes('=') ? after(word, text.indexOf('=') + 1) : words[at + 1];
      if (file !== undefined) touchRead(scene, file);
    }
  }
}

/** What stands before the colon of `-v ~/.ssh:/x`, or behind `source=`. */
function mountOf(text: string, { state, ground }: Scene): string {
  const path = text.replace(/^(?:[^/~$:]*,)?(?:source|src)=/, '').replace(/[:,].*$/s, '');
  return locate(path, state.cwd, ground)?.path ?? path;
}

function judgeGithub({ words, scene, span }: Invocation): void {
  const texts = words.map((word) => beginningOf(word));
  const writes = texts.some((text) => /^(?:-X|--method|-f|-F|--field|--raw-field|--input)/.test(text));
  if (texts[0] === 'api' && writes)
    scene.report.raise('dangerous', 'service-change', 'changes a service', span);
  if (texts[0] === 'workflow' && texts[1] === 'run')
    scene.report.raise('dangerous', 'service-change', 'starts a workflow', span);
}
