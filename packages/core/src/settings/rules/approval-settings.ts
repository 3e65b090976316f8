import * as z from 'zod';
import { Duration } from '../duration.ts';
import { Hosts } from '../sandbox/sandbox-bounds.ts';

/** How much runs without approval (E1, S003-33), from the loosest to the strictest. */
export const ApprovalMode = z.enum(['allow_all', 'auto', 'prompt', 'deny_all']);
export type ApprovalMode = z.infer<typeof ApprovalMode>;

/** Tools with a login of the user, whose read-only lines may run without approval. */
export const LoggedInTool = z.enum(['docker', 'gh', 'kubectl']);
export type LoggedInTool = z.infer<typeof LoggedInTool>;

/** The hosts that such a line may talk to; `null`: it needs approval, and is not logged in. */
const readsOf = Hosts.nullable().default(null);

/** When a change of a workspace file needs approval, in any tool or shell line; from the loosest to the strictest. */
export const FileWrites = z.enum(['never', 'when_reversible', 'ask']);
export type FileWrites = z.infer<typeof FileWrites>;

/** When approval is needed (E1, E2, S003-34). */
export const ApprovalSettings = z.strictObject({
  /**
   * `auto`: safe calls run, others need approval. `prompt`: every call needs approval. `deny_all`: nothing runs.
   * `allow_all`: no call needs approval; blocked calls stay blocked.
   */
  approval_mode: ApprovalMode.default('auto'),
  /** Off: calls of level `safe` need approval too. */
  auto_approve_safe: z.boolean().default(true),
  /**
   * `false`: calls of level `warning` run without approval. `unless_reversible`: they do when they run as transactions,
   * touch only the workspace and can be undone.
   */
  prompt_on_warning: z.union([z.boolean(), z.literal('unless_reversible')]).default('unless_reversible'),
  /**
   * `when_reversible`: changes that `undo` can restore run without approval. `ask`: every change needs approval, that
   * of a script before its files are committed. `never`: plain changes inside the workspace never need it. Dangerous
   * calls need approval in any case.
   */
  file_writes: FileWrites.default('when_reversible'),
  /** On: calls of level `dangerous` are denied without an approval request. */
  deny_dangerous: z.boolean().default(false),
  /** How long an approval stays open. */
  expiry: Duration.prefault('30m'),
  /**
   * What happens to an expired approval. `pause`: its session is paused until it is answered; where no session waits
   * for it, the next identical call uses a late answer. `deny`: it is denied for good.
   */
  on_expiry: z.enum(['pause', 'deny']).default('pause'),
  /**
   * Read-only lines of a tool that you are logged in to (`gh pr view`, `kubectl get pods`, `docker ps`) run without
   * approval, with the login that they need. `signalbox rules reads` writes it.
   */
  reads: z.strictObject({ docker: readsOf, gh: readsOf, kubectl: readsOf }).prefault({}),
});
