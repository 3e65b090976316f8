import { describe, expect, test } from 'vitest';
import { parseSettings } from './parse-settings.ts';
import { defaultSettings } from './settings.ts';

describe('an empty file', () => {
  test.for([undefined, null, {}, { approval: null, providers: null, tools: { file: null } }])(
    'means every default: %j',
    (value) => {
      expect(parseSettings(value)).toEqual({ kind: 'ok', settings: defaultSettings(), notes: [] });
    },
  );

  test('has the defaults of the specifications (U1, S001-104, S002-34, S003-34, S003-58…S003-60)', () => {
    const { providers: _, ...defaults } = defaultSettings();
    expect(defaults).toEqual({
      policy: { mode: 'enforce' },
      backend: 'embedded',
      rules: [],
      coordinator: { idle_exit: 900_000 },
      mcp_servers: {},
      mcp: { max_result_chars: 25_000, max_error_chars: 9000, max_wait: 100_000, ask_in_agent: true },
      mode: 'NORMAL',
      tests: null,
      lint: null,
      budget: null,
      shell_composition: 'classify',
      isolation: 'transaction',
      files: { stale_write: 'refuse' },
      filters: { enabled: true, hide_paths: true, off: [], except_providers: [], define: {} },
      // S003-34
      approval: {
        approval_mode: 'auto',
        auto_approve_safe: true,
        // Issue 4: reversible calls run without approval.
        prompt_on_warning: 'unless_reversible',
        file_writes: 'when_reversible',
        deny_dangerous: false,
        expiry: 1_800_000,
        on_expiry: 'pause',
        reads: { docker: null, gh: null, kubectl: null },
      },
      // S003-58, S003-59, X-10
      sandbox: {
        enabled: true,
        working_dir: null,
        allowed_paths: ['.'],
        env_vars: {},
        readable_home: [],
        network: {
          commands: 'approved',
          hosts: null,
          agreed: { packages: [], remotes: [], localhost: [] },
          services: [],
          through: 'gate',
        },
        container: null,
        resource_limits: {
          max_memory_mb: null,
          max_cpu_percent: 80,
          timeout_ms: 300_000,
          max_processes: 256,
          max_file_mb: 1024,
          max_written_mb: null,
          max_written_files: 500_000,
          max_open_files: 1024,
        },
      },
      // S003-60
      execution: {
        max_concurrent_executions: null,
        max_queue_size: 10,
        execution_history_limit: 1000,
        history_max_age: 604_800_000,
        history_max_mb: 2048,
        max_wait: 600_000,
      },
      // S003-61
      monitoring: {
        enable_metrics: true,
        log_all_commands: true,
        audit_file_max_mb: 64,
        pubsub_topic: 'tools:execution',
      },
      // S002-33…36
      agents: {
        tool_execution: {
          enabled: true,
          max_iterations: 100,
          auto_approve_tools: ['read_file', 'graph_query'],
          // Issue 13: by effect, and without approval where `undo` restores it; `approval.file_writes: ask` is the
          // specifications'.
          require_approval_tools: null,
          critical_tools: [],
          on_critical_failure: 'ask',
        },
      },
      agent: {
        compress_at: 0.9,
        // S001-78
        tool_filter: {
          enabled: false,
          top_k: 10,
          min_description_words: 3,
          always_on: ['memory_search', 'memory_save', 'load_skill', 'scheduler'],
          // Ours.
          never_left_out: [
            'read_file',
            'list_directory',
            'search_files',
            'edit_file',
            'write_file',
            'bash',
            'read_output',
          ],
          min_similarity: 0,
          embed_provider: '',
          embed_model: 'text-embedding-3-small',
          without_task: 'all',
        },
        // S001-59, S001-124
        compress_provider: '',
        hallucination_detection: false,
        reasoning_model_detection: [],
      },
      tools: {
        // S001-126
        max_tool_calls_per_session: null,
        repeated_calls: { point_out: 3, refuse: 5 },
        // S001-26, S001-27
        file: { deny_read: [], allow_read: [] },
        // S001-70
        tafc: { enabled: false, complexity_threshold: 0.6 },
        // S001-84
        result_cache: { enabled: true, ttl_secs: 300 },
        // S001-92
        dependencies: { enabled: false, boost_per_dep: 0.15, max_total_boost: 0.2, rules: {} },
        // S001-100
        retry: {
          max_attempts: 2,
          base_ms: 500,
          max_ms: 5000,
          budget_secs: 30,
          parameter_reformat_provider: '',
        },
        // S001-104, S001-111
        shell: {
          transactional: true,
          on_conflict: 'rerun',
          max_reruns: 3,
          keep_on_signal: false,
          transaction_scope: ['**'],
          auto_rollback: false,
          auto_rollback_exit_codes: [1, 2],
          snapshot_required: false,
          max_snapshot_bytes: 0,
        },
        // S001-114, S001-115
        utility: {
          enabled: false,
          mode: 'enforce',
          threshold: 0,
          exempt_tools: ['invoke_skill', 'load_skill'],
        },
        // S001-118
        adversarial_policy: {
          enabled: false,
          fail_open: false,
          policies: [],
          policy_provider: '',
          mode: 'enforce',
          timeout: 20_000,
          budget: null,
          exempt_tools: ['memory_save', 'memory_search', 'read_overflow', 'load_skill', 'schedule_deferred'],
        },
        // S001-128
        authorization: { enabled: false, rules: [] },
        policies: {},
      },
    });
  });

  test('offers the known vendors as presets, none of them configured (B1, S003-06)', () => {
    const { providers } = defaultSettings();
    expect(Object.keys(providers)).toEqual(['openai', 'anthropic', 'deepseek', 'ollama', 'local']);
    expect(Object.values(providers).some(({ configured }) => configured)).toBe(false);
    expect(providers['deepseek']).toMatchObject({
      api: 'openai-chat',
      api_key_env: 'DEEPSEEK_API_KEY',
      echo_reasoning: true,
      temperature: 0.7,
      trust: 'provisional',
      prices: null,
    });
    expect(providers['ollama']?.api_key_env).toBeNull();
  });
});

test('an agent that connects to us is a provider without an address and a model', () => {
  const parsed = parseSettings({ providers: { codex: { api: 'agent', trust: 'trusted' } } });
  expect(parsed.kind === 'ok' ? parsed.settings.providers['codex'] : parsed).toMatchObject({
    api: 'agent',
    base_url: '',
    model: '',
    api_key_env: null,
    trust: 'trusted',
  });
});
