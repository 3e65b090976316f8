import { definePrograms, type Invocation, named, NETWORK, WRITES_UNKNOWN } from '../../program.ts';
import { touchWrite } from '../../paths/touch.ts';
import { beginningOf, textOf } from '../../word.ts';
import { type ServiceClient, defineClient } from './define-client.ts';

const VERSION = /^(?:version|help|--version|-V|-v|--help)$/;

/** Clients of clusters, and of packages installed there. */
const CLUSTERS = {
  groups: /^(?:rollout|config|auth)$/,
  reads:
    /^(?:get|describe|logs|top|explain|api-resources|api-versions|cluster-info|version|diff|list|ls|status|history|show|template|lint|search|events|auth|build|current-context|get-contexts|view|repo|dependency|dep)$/,
  writes:
    /^(?:--output-dir|--output-directory|--destination|pull|package|fetch|completion|cluster-info|repo|dep)/,
  changes:
    /^(?:secrets?|delete|apply|create|replace|patch|edit|scale|rollout|drain|cordon|uncordon|taint|exec|cp|run|expose|annotate|label|set|autoscale|port-forward|proxy|attach|debug|reconcile|certificate|install|upgrade|uninstall|rollback|push|sync|use-context|set-context|set-cluster|delete-context)$/,
  otherwise: 'dangerous',
  judge: judgeCluster,
} satisfies Partial<ServiceClient>;

/** Clients of clusters, clouds and code hosts. */
export const services = definePrograms(
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
    reads:
      /^(?:plan|show|output|providers|graph|init|get|preview|state|workspace|list|ls|diff|synth|status|console|refresh|test)$/,
    local: /^(?:version|fmt|validate|help)$/,
    writes: /^(?:init|get|synth|plan|providers|refresh|test|console|workspace|--?out(?:=|$))/,
    changes:
      /^(?:apply|destroy|import|taint|untaint|up|deploy|rm|mv|push|replace-provider|force-unlock|delete|remove|cancel|bootstrap|login|logout|halt|ssh)$/,
    otherwise: 'dangerous',
    judge: ({ words, context, span, program }) => {
      const writes =
        textOf(words[0]) === 'fmt' && !words.some((word) => /^-{1,2}check/.test(textOf(word) ?? ''));
      if (!writes) return;
      context.report.raise('warning', 'formats', { text: `rewrites files with ${program}`, span });
      const files = words.slice(1).filter((word) => beginningOf(word).endsWith('.tf'));
      if (files.length === 0 || files.length < words.length - 1) context.report.effect(WRITES_UNKNOWN);
      for (const file of files) touchWrite(context, file);
    },
    examples: {
      safe: [
        'terraform -help',
        'terraform -chdir=infra fmt -check',
        'terraform version',
        'terraform validate',
        'terraform fmt -check',
      ],
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
    reads:
      /^(?:ls|list|list-.*|describe.*|get-.*|get|show|status|info|whoami|logs|ps|head-.*|help|version|regions|scan|query|read|search|tail|batch-get-.*|filter-.*|lookup-.*|select)$/,
    changes:
      /^(?:rm|rb|mb|cp|mv|sync|delete.*|remove.*|terminate.*|create.*|put-.*|update.*|deploy.*|publish|apply|run|exec|ssh|start|stop|destroy|login|logout|set|unset|add|configure|promote|rollback|scale|secrets?.*|get-secret.*|get-session-token|get-login-password|print-access-token|invoke|env|configure|access|keys)$/,
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
    reads: /^(?:list|view|api|status|diff|checks|api|browse|search|ls|show|watch)$/,
    local: VERSION,
    writes: /^(?:clone|checkout|download|co|pull|-o|--output|--dir|-D)$/,
    changes:
      /^(?:create|merge|close|delete|edit|comment|review|reopen|secret|token|gist|rerun|cancel|transfer|archive|fork|sync|lock|ready|alias|extension|ssh-key|gpg-key|variable|codespace|upload|set|remove|push|deploy|config|enable|disable)$/,
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

function judgeGithub({ words, context, span }: Invocation): void {
  const texts = words.map((word) => beginningOf(word));
  const writes = texts.some((text) => /^(?:-X|--method|-f|-F|--field|--raw-field|--input)/.test(text));
  if (texts[0] === 'api' && writes)
    context.report.raise('dangerous', 'service-change', { text: 'changes a service', span });
  if (texts[0] === 'workflow' && texts[1] === 'run')
    context.report.raise('dangerous', 'service-change', { text: 'starts a workflow', span });
}

/** `helm template x bitnami/redis`: without a leading dot, a chart of a remote repository. */
const REMOTE_CHART = /^[\w-]+\/[\w-]+$/;

/** Effects of a cluster client's options and operands, with any verb. */
function judgeCluster({ words, context, span }: Invocation): void {
  if (words.some((word) => /^--(?:post-renderer|kubeconfig|as)(?:=|$)/.test(beginningOf(word))))
    context.report.raise('dangerous', 'service-change', {
      text: 'sets a program to run or another identity',
      span,
    });
  const texts = words.map((word) => textOf(word) ?? '');
  if (!texts.includes('template') || !texts.some((text) => REMOTE_CHART.test(text))) return;
  context.report.effect(NETWORK);
  context.report.raise('warning', 'network', { text: 'may download a chart', span });
}
