import type { Traces } from './traces.ts';

const ENDPOINTS = ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'OTEL_EXPORTER_OTLP_ENDPOINT'] as const;

/**
 * Null unless an endpoint is named (`OTEL_EXPORTER_OTLP_ENDPOINT`, `OTEL_EXPORTER_OTLP_TRACES_ENDPOINT`) and
 * `OTEL_SDK_DISABLED` is not `true`. Without an endpoint OpenTelemetry is not even loaded.
 */
export async function openTraces(env: Readonly<Record<string, string | undefined>>): Promise<Traces | null> {
  if (env['OTEL_SDK_DISABLED'] === 'true' || ENDPOINTS.every((name) => (env[name] ?? '') === '')) return null;
  const { createOtlpExporter, createTraces } = await import('./otlp-traces.ts');
  return createTraces(createOtlpExporter(), env['OTEL_SERVICE_NAME'] ?? 'signalbox');
}
