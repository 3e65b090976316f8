import { holdCache } from '../../held-resources.ts';
import { definePrograms, type Invocation, NETWORK, REPOSITORY_CODE, WRITES_UNKNOWN } from '../../program.ts';
import { hasOption, valueOf } from '../../options.ts';
import { touchWrite } from '../../paths/touch.ts';
import { literal, textOf } from '../../word.ts';
import { formatsUnless, installsInto, RUNS_PROJECT } from './toolchain-rules.ts';

/** Go. */
export const go = definePrograms({
  names: ['go'],
  style: 'long',
  options: '-C=list',
  verbs: {
    test: {
      style: 'long',
      options:
        '-v -run= -bench= -count= --cover -covermode= -coverpkg= -coverprofile=write --race --short -timeout= -parallel= --failfast --json -tags= -skip= -shuffle= --benchmem -benchtime= -cpu= -list= --msan --asan --trimpath -x -n -p= -vet= -buildvcs= --test.v -test.run= --test.short -test.bench= -test.count= -test.timeout= --fullpath',
      effects: [REPOSITORY_CODE],
      examples: {
        safe: ['go test ./pkg/...', 'go test -cover ./...', 'go test -race -count=1 -run TestX ./...'],
        warning: [
          'go test -coverprofile=c.out ./...',
          'go test -exec ./x ./...',
          'go test -test.cpuprofile=x .',
          'go test -c .',
        ],
      },
    },
    vet: {
      style: 'long',
      options:
        '-v -x -n --json -tags= -c= --race --printf? --composites? --shadow? --copylocks? --unusedresult? -p= -buildvcs=',
      effects: [REPOSITORY_CODE],
      examples: { safe: ['go vet ./...'], warning: ['go vet -vettool=./x ./...'] },
    },
    build: {
      style: 'long',
      options: '-v -x -n -o= -p= --race --msan --asan --cover -tags= --trimpath --json -buildvcs=',
      effects: [REPOSITORY_CODE],
      judge: buildGo,
    },
    'list env version doc help': {
      style: 'long',
      options:
        '-f= -m --json? --deps --test -e --compiled --export --find --retracted -tags= --race --changed --all --src --short -u --cmd -c -v --versions -w',
      judge: ({ program, options, context, span }) => {
        if (program === 'go env' && hasOption(options, '-w', '-u'))
          context.report.raise('dangerous', 'outside-workspace', { text: 'changes Go settings', span });
        const asks =
          hasOption(options, '-u', '--versions') ||
          options.operands.some((word) => textOf(word)?.includes('@') === true);
        if (program !== 'go list' || !asks) return;
        context.report.raise('warning', 'network', { text: 'checks the network for newer modules', span });
        context.report.effect(NETWORK);
      },
      examples: {
        safe: ['go list ./...', 'go env GOPATH', 'go doc fmt', 'go list -m all'],
        warning: [
          'go list -m -u all',
          'go list -m -versions x',
          'go list -m x.example/y@latest',
          'go doc -http',
          'go list -mod=mod ./...',
          'go list -toolexec=./x ./...',
        ],
        dangerous: ['go env -w GOFLAGS=-mod=mod'],
      },
    },
    fmt: { unknownOptions: 'any', judge: formatsUnless(/^-n$/) },
    mod: {
      unknownOptions: 'any',
      judge: ({ words, context, span }) => {
        if (/^(?:graph|why|verify)$/.test(textOf(words[0]) ?? '')) return;
        context.report.raise('warning', 'installs', { text: "changes the project's modules", span });
        if (textOf(words[0]) !== 'edit' && textOf(words[0]) !== 'init') context.report.effect(NETWORK);
        for (const path of ['go.mod', 'go.sum']) touchWrite(context, literal(path, span));
        holdCache('go', context);
        if (textOf(words[0]) === 'vendor') touchWrite(context, literal('vendor', span), { scope: 'tree' });
      },
    },
    get: installsInto('go.mod', 'go.sum'),
    'install work clean fix': installsInto(),
    tool: {
      ...RUNS_PROJECT,
      level: 'safe',
      effects: [],
      judge: ({ words, context, span }) => {
        const texts = words.map((word) => textOf(word) ?? '-?');
        if (texts.length === 0) return;
        if (
          texts[0] === 'cover' &&
          texts.slice(1).every((text) => /^(?:-{1,2}func=.*|-func|[^-].*)$/.test(text))
        )
          return;
        context.report.raise('warning', 'unknown-script', { text: 'runs a tool from the project', span });
        context.report.effect(WRITES_UNKNOWN);
      },
      examples: { safe: ['go tool cover -func=c.out'], warning: ['go tool cover -html=c.out', 'go tool x'] },
    },
    generate: RUNS_PROJECT,
    run: {
      ...RUNS_PROJECT,
      judge: ({ words, context, span }) => {
        // `go run example.org/x@latest`: a third-party module is fetched first.
        if (!words.some((word) => (textOf(word) ?? '@').includes('@'))) return;
        context.report.raise('warning', 'runs-package', { text: 'downloads and runs a module', span });
        context.report.effect(NETWORK);
      },
    },
  },
  examples: {
    safe: [
      'go test ./pkg/...',
      'go vet ./...',
      'go build ./...',
      'go list ./...',
      'go env GOPATH',
      'go test -cover ./...',
    ],
    warning: [
      'go build',
      'go build -o bin/x .',
      'go run .',
      'go mod tidy',
      'go get x',
      'go fmt ./...',
      'go test -coverprofile=c.out ./...',
      'go test -exec ./x ./...',
      'go generate ./...',
    ],
  },
});

/** `go build` of one package writes its program here; of several, or of a library, nothing. */
function buildGo({ options, context, span }: Invocation): void {
  const target = valueOf(options, '-o');
  const many = options.operands.some((word) => textOf(word)?.endsWith('...') === true);
  if (many && target === undefined) return;
  context.report.raise('warning', 'builds', { text: 'writes an executable', span });
  if (target === undefined) context.report.effect(WRITES_UNKNOWN);
  else touchWrite(context, target);
}
