import type { CheckReport } from '@signalbox/core';
import * as z from 'zod';
import { hasField } from './json-documents.ts';
import { type ReportedFinding, lintReport, severityOf } from './lint-report.ts';

const Text = z.string().nullish();
const Line = z.number().nullish();
const Place = z.object({ line: Line, row: Line }).nullish();

/** Reads one document, or all lines of an output; null for any other form. */
type Reader = {
  readonly source: string;
  readonly read: (value: unknown) => readonly ReportedFinding[] | null;
};

function reader<Schema extends z.ZodType>(
  source: string,
  schema: Schema,
  read: (data: z.output<Schema>) => readonly ReportedFinding[],
): Reader {
  return {
    source,
    read(value) {
      const { data, success } = schema.safeParse(value);
      return success ? read(data) : null;
    },
  };
}

/** In order: the first whose form it is. */
const DOCUMENTS: readonly Reader[] = [
  reader(
    'SARIF',
    z.object({
      runs: z.array(
        z.object({
          results: z
            .array(
              z.object({
                ruleId: Text,
                level: Text,
                message: z.object({ text: Text }),
                locations: z
                  .array(
                    z.object({
                      physicalLocation: z
                        .object({
                          artifactLocation: z.object({ uri: Text }).nullish(),
                          region: z.object({ startLine: Line }).nullish(),
                        })
                        .nullish(),
                    }),
                  )
                  .nullish(),
              }),
            )
            .nullish(),
        }),
      ),
    }),
    ({ runs }) =>
      runs
        .flatMap(({ results }) => results ?? [])
        .map(({ ruleId, level, message, locations }) => ({
          name: ruleId ?? '',
          message: message.text ?? '',
          severity: severityOf(level ?? 'warning'),
          path: pathOfUri(locations?.[0]?.physicalLocation?.artifactLocation?.uri),
          line: locations?.[0]?.physicalLocation?.region?.startLine,
        })),
  ),
  reader(
    'eslint JSON',
    z.array(
      z.object({
        filePath: z.string(),
        messages: z.array(z.object({ ruleId: Text, severity: z.number(), message: z.string(), line: Line })),
      }),
    ),
    (files) =>
      files.flatMap(({ filePath, messages }) =>
        messages.map(({ ruleId, severity, message, line }) => ({
          name: ruleId ?? 'parse error',
          message,
          severity: severity >= 2 ? ('error' as const) : ('warning' as const),
          path: filePath,
          line,
        })),
      ),
  ),
  reader(
    'stylelint JSON',
    z.array(
      z.object({
        source: Text,
        warnings: z.array(z.object({ rule: Text, severity: Text, text: z.string(), line: Line })),
      }),
    ),
    (files) =>
      files.flatMap(({ source, warnings }) =>
        warnings.map(({ rule, severity, text, line }) => ({
          name: rule ?? '',
          message: text,
          severity: severityOf(severity),
          path: source,
          line,
        })),
      ),
  ),
  reader(
    'ruff JSON',
    z.array(z.object({ filename: z.string(), code: Text, message: z.string(), location: Place })),
    (found) =>
      found.map(({ filename, code, message, location }) => ({
        name: code ?? 'syntax error',
        message,
        severity: 'error',
        path: filename,
        line: location?.row,
      })),
  ),
  reader(
    'golangci-lint JSON',
    z.object({
      Issues: z
        .array(
          z.object({
            FromLinter: z.string(),
            Text: z.string(),
            Severity: Text,
            Pos: z.object({ Filename: z.string(), Line }),
          }),
        )
        .nullable(),
    }),
    ({ Issues }) =>
      (Issues ?? []).map((issue) => ({
        name: issue.FromLinter,
        message: issue.Text,
        severity: issue.Severity === 'warning' ? 'warning' : 'error',
        path: issue.Pos.Filename,
        line: issue.Pos.Line,
      })),
  ),
  reader(
    'pyright JSON',
    z.object({
      generalDiagnostics: z.array(
        z.object({
          file: Text,
          severity: z.string(),
          message: z.string(),
          rule: Text,
          range: z.object({ start: z.object({ line: z.number() }) }).nullish(),
        }),
      ),
    }),
    ({ generalDiagnostics }) =>
      generalDiagnostics.map(({ file, severity, message, rule, range }) => ({
        name: rule ?? 'pyright',
        message,
        severity: severityOf(severity),
        path: file,
        // Counted from 0.
        line: range == null ? undefined : range.start.line + 1,
      })),
  ),
  // The form that biome, oxlint and deno lint share, each with its own names.
  reader(
    'diagnostics JSON',
    z.object({
      diagnostics: z.array(
        z.object({
          category: Text,
          code: z.unknown().optional(),
          severity: Text,
          description: Text,
          message: z.unknown().optional(),
          filename: Text,
          labels: z.array(z.object({ span: Place })).nullish(),
          range: z.object({ start: Place }).nullish(),
          location: z
            .object({
              path: z.union([z.string(), z.object({ file: Text })]).nullish(),
              start: Place,
            })
            .nullish(),
        }),
      ),
    }),
    ({ diagnostics }) =>
      diagnostics.map((one) => {
        const path = one.location?.path;
        const code = typeof one.code === 'string' ? one.code : '';
        return {
          name: one.category ?? code,
          message: one.description ?? (typeof one.message === 'string' ? one.message : ''),
          severity: severityOf(one.severity ?? 'error'),
          path: one.filename ?? (typeof path === 'string' ? path : path?.file),
          line: one.labels?.[0]?.span?.line ?? one.range?.start?.line ?? one.location?.start?.line,
        };
      }),
  ),
];

const Mypy = z.object({
  file: z.string(),
  line: Line,
  message: z.string(),
  code: Text,
  severity: z.enum(['error', 'warning', 'note']),
});

const Cargo = z.object({
  reason: z.literal('compiler-message'),
  message: z.object({
    level: z.string(),
    message: z.string(),
    code: z.object({ code: z.string() }).nullable(),
    spans: z.array(z.object({ file_name: z.string(), line_start: z.number(), is_primary: z.boolean() })),
  }),
});
const CargoEnd = z.object({ reason: z.literal('build-finished') });

function cargoFinding({
  message: { level, message, code, spans },
}: z.infer<typeof Cargo>): readonly ReportedFinding[] {
  const span = spans.find((one) => one.is_primary);
  // A sum such as "2 warnings emitted" has no place.
  if (span === undefined) return [];
  const severity = severityOf(level);
  return [{ name: code?.code ?? level, message, severity, path: span.file_name, line: span.line_start }];
}

/** Of an output, that may be a report by themselves. */
const MAX_DOCUMENTS = 100;

/** What linters found, by the documents of an output; null when none of them is a linter's. */
export function findingsInJson(documents: readonly unknown[]): CheckReport | null {
  for (const document of documents.slice(0, MAX_DOCUMENTS)) {
    for (const { source, read } of DOCUMENTS) {
      const found = read(document);
      if (found !== null) return lintReport(source, found);
    }
  }
  const mypy = documents.flatMap((one) => (hasField(one, 'file') ? (Mypy.safeParse(one).data ?? []) : []));
  if (mypy.length > 0) {
    const found = mypy.map(({ code, message, severity, file, line }) => {
      return { name: code ?? 'mypy', message, severity, path: file, line };
    });
    return lintReport('mypy JSON', found);
  }
  const ofCargo = documents.filter((one) => hasField(one, 'reason'));
  const isCargo = ofCargo.some((one) => Cargo.safeParse(one).success || CargoEnd.safeParse(one).success);
  if (!isCargo) return null;
  const messages = ofCargo.flatMap((one) => Cargo.safeParse(one).data ?? []);
  return lintReport('cargo JSON', messages.flatMap(cargoFinding));
}

function pathOfUri(uri: string | null | undefined): string | undefined {
  if (uri == null) return undefined;
  try {
    return decodeURIComponent(uri.replace(/^file:\/\/(?:localhost)?/, ''));
  } catch {
    return uri;
  }
}
