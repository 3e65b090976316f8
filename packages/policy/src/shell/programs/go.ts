import { holdCache } from '../held-resources.ts';
import { definePrograms, type Invocation, NETWORK, REPOSITORY_CODE, WRITES_UNKNOWN } from '../program.ts';
import { hasOption, valueOf } from '../options.ts';
import { touchWrite } from '../touch.ts';
import { beginningOf, literal, textOf } from '../word.ts';
import { buildsUnless, formatsUnless, installsInto, RUNS_PROJECT } from './toolchain-rules.ts';

/** Go. */
export const go = definePrograms({
  names: ['go'],
  style: 'long',
  options: '-C=list',
  verbs: {
    'test vet': {
      unknownOptions: 'any',
      effects: [REPOSITORY_CODE],
      judge: buildsUnless(
        /^--?(?:exec|vettool|toolexec|o|c|coverprofile|cpuprofile|memprofile|blockprofile|mutexprofile|trace|outputdir|overlay|modfile|mod|fix|w)(?:=|$)/,
      ),
    },
    build: { unknownOptions: 'any', effects: [REPOSITORY_CODE], judge: buildGo },
    'list env version doc help': {
      unknownOptions: 'any',
      judge: ({ program, words, scene, span }) => {
        if (program === 'go env' && words.some((word) => /^-[wu]/.test(textOf(word) ?? '')))
          scene.report.raise('dangerous', 'outside-workspace', 'changes settings of go', span);
        if (words.some((word) => /^--?toolexec/.test(beginningOf(word))))
          scene.report.raise('dangerous', 'starts-program', 'names a program to run', span);
      },
    },
    fmt: { unknownOptions: 'any', judge: formatsUnless(/^-n$/) },
    mod: {
      unknownOptions: 'any',
      judge: ({ words, scene, span }) => {
        if (/^(?:graph|why|verify)$/.test(textOf(words[0]) ?? '')) return;
        scene.report.raise('warning', 'installs', 'changes the modules of the project', span);
        if (textOf(words[0]) !== 'edit' && textOf(words[0]) !== 'init') scene.report.effect(NETWORK);
        for (const path of ['go.mod', 'go.sum']) touchWrite(scene, literal(path, span));
        holdCache('go', scene);
        if (textOf(words[0]) === 'vendor') touchWrite(scene, literal('vendor', span), 'tree');
      },
    },
    get: installsInto('go.mod', 'go.sum'),
    'install work clean fix': installsInto(),
    'run generate tool': RUNS_PROJECT,
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
function buildGo({ words, options, scene, span }: Invocation): void {
  const output = words.findIndex((word) => /^--?o$/.test(textOf(word) ?? ''));
  const target = output < 0 ? valueOf(options, '-o') : words[output + 1];
  const many = words.some((word) => textOf(word)?.endsWith('...') === true);
  const odd = words.some((word) =>
    /^--?(?:toolexec|exec|overlay|modfile|mod|ldflags|gcflags|a|o=)/.test(beginningOf(word)),
  );
  if (many && target === undefined && !odd && !hasOption(options, '-o')) return;
  scene.report.raise('warning', 'builds', 'writes a program', span);
  if (target !== undefined && !odd) touchWrite(scene, target);
  else scene.report.effect(WRITES_UNKNOWN);
}
