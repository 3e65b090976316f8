import { definePrograms, named, WRITES_UNKNOWN } from '../../program.ts';
import { textOf } from '../../word.ts';
import { judgeInnerCommand } from '../shells/inner-command.ts';

/** Programs of which only the version option is known. */
export const versions = definePrograms({
  names: named(
    'ldd ffmpeg ffprobe convert magick identify hugo jekyll caddy nginx httpd apache2 haproxy redis-server postgres mongod mysqld elasticsearch trivy snyk k6 act pre-commit adb ghcup clj clojure direnv fzf elm purs wasm-pack wasm-bindgen trunk emcc flatc thrift capnp gatsby astro vue svelte parcel swc tailwindcss sass lessc electron cordova ionic capacitor jmeter locust newman postman allure sonar-scanner typst asciidoctor jupyter pyinstaller maturin cython gunicorn uvicorn dlv gopls rust-analyzer clangd pylsp sccache ccache distcc gcov lcov gcovr cargo-nextest qemu-img multipass lima colima spark-submit airflow dbt',
  ),
  unknownOptions: 'any',
  judge: ({ program, words, context, span }) => {
    const [only, ...others] = words;
    if (others.length === 0 && /^(?:version|-{1,2}version|-[vV])$/.test(textOf(only) ?? '')) return;
    context.report.raise('warning', 'unknown-command', { text: `runs an unknown program: ${program}`, span });
    context.report.effect({ kind: 'process', program });
    context.report.effect(WRITES_UNKNOWN);
    judgeInnerCommand(words, context);
  },
  examples: {
    safe: ['ffmpeg -version', 'hugo version', 'nginx -v', 'pre-commit --version'],
    warning: ['ffmpeg -i a.mp4 b.mp3', 'hugo', 'nginx -v x', 'pre-commit run'],
    dangerous: ['direnv exec . rm -rf lib'],
  },
});
