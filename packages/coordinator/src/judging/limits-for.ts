import {
  type ExecutionLimits,
  type LimitKey,
  type ProviderId,
  type SandboxProfile,
  type Settings,
  type Tool,
  type Trust,
  UNTRUSTED_MEMORY_MB,
} from '@signalbox/core';
import { toolPolicyName, toolPolicyOf } from '@signalbox/policy';

/** The setting that decided each limit; null if the call itself asked for its time. */
export type LimitSettings = Readonly<Record<LimitKey, string> & { timeout_ms: string | null }>;

type Subject = {
  readonly tool: Pick<Tool, 'name' | 'aliases'>;
  readonly provider: ProviderId;
  readonly trust: Trust;
  /** The time requested by the call, if any, and its tool's default; the sandbox's bound applies to both. */
  readonly timeoutMs: { readonly call: number | undefined; readonly tool: number };
};

type Bounds = NonNullable<SandboxProfile['resource_limits']>;
type Layer = {
  readonly at: string;
  readonly limits: { readonly [Key in keyof Bounds]?: Bounds[Key] | null };
};

const MIB = 1024 ** 2;

/** Combines the limits of a command's provider and tool with the common ones: the lowest applies (S003-80). */
export function limitsFor(
  settings: Settings,
  subject: Subject,
): { readonly limits: ExecutionLimits; readonly limitSettings: LimitSettings } {
  const layers = layersOf(settings, subject);
  const lowest = (key: keyof Bounds): { readonly value: number; readonly setting: string } =>
    layers
      .map(({ at, limits }) => ({ value: limits[key] ?? Infinity, setting: `${at}.${key}` }))
      .reduce((least, one) => (one.value < least.value ? one : least));
  const bound = (key: keyof Bounds, unit = 1): number | undefined => {
    const { value } = lowest(key);
    return Number.isFinite(value) ? value * unit : undefined;
  };
  const own = subject.timeoutMs.call ?? subject.timeoutMs.tool;
  const ownSetting =
    subject.timeoutMs.call === undefined ? `${sectionOf(subject.tool, settings)}.timeout` : null;
  const time = lowest('timeout_ms');
  const memoryBytes = bound('max_memory_mb', MIB);
  const writtenBytes = bound('max_written_mb', MIB);
  const at = (key: keyof Bounds): string => lowest(key).setting;
  return {
    limits: {
      timeoutMs: Math.min(own, time.value),
      ...(memoryBytes === undefined ? {} : { memoryBytes }),
      cpuPercent: lowest('max_cpu_percent').value,
      processes: lowest('max_processes').value,
      fileBytes: lowest('max_file_mb').value * MIB,
      openFiles: lowest('max_open_files').value,
      writtenFiles: lowest('max_written_files').value,
      ...(writtenBytes === undefined ? {} : { writtenBytes }),
    },
    limitSettings: {
      timeout_ms: own < time.value ? ownSetting : time.setting,
      max_memory_mb: at('max_memory_mb'),
      max_cpu_percent: at('max_cpu_percent'),
      max_processes: at('max_processes'),
      max_file_mb: at('max_file_mb'),
      max_open_files: at('max_open_files'),
      max_written_mb: at('max_written_mb'),
      max_written_files: at('max_written_files'),
    },
  };
}

function layersOf(settings: Settings, { tool, provider, trust }: Subject): readonly Layer[] {
  const ofProvider = settings.providers[provider]?.sandbox?.resource_limits ?? {};
  const distrust = trust === 'untrusted' ? { max_memory_mb: UNTRUSTED_MEMORY_MB } : {};
  return [
    { at: 'sandbox.resource_limits', limits: settings.sandbox.resource_limits },
    { at: `providers.${provider}.sandbox.resource_limits`, limits: { ...distrust, ...ofProvider } },
    {
      at: `${sectionOf(tool, settings)}.sandbox.resource_limits`,
      limits: toolPolicyOf(tool, settings).sandbox?.resource_limits ?? {},
    },
  ];
}

/** The settings of a tool, which may go by those of another. */
function sectionOf(tool: Subject['tool'], settings: Settings): string {
  return `tools.${toolPolicyName(tool, settings) ?? tool.name}`;
}
