import * as z from 'zod';
import { Duration } from '../duration.ts';
import { Hosts } from '../sandbox/sandbox-bounds.ts';

/** How much runs without a person (E1, S003-33), from the loosest to the strictest. */
export const ApprovalMode = z.enum(['allow_all', 'auto', 'prompt', 'deny_all']);
export type ApprovalMode = z.infer<typeof ApprovalMode>;

/** Tools that a person is logged in to, and of which lines that only read may run without a question. */
export const LoggedInTool = z.enum(['docker', 'gh', 'kubectl']);
export type LoggedInTool = z.infer<typeof LoggedInTool>;

/** The hosts that such a line may talk to; `null`: it asks, and is not logged in. */
const readsOf = Hosts.nullable().default(null);

/** When a change of a file of the workspace asks, whichever tool or shell line makes it; from the loosest to the strictest. */
export const FileWrites = z.enum(['never', 'when_reversible', 'ask']);
export type FileWrites = z.infer<typeof FileWrites>;

/** When a person is asked (E1, E2, S003-34). */
export const ApprovalSettings = z.strictObject({
  /**
   * `auto`: safe calls run, others ask. `prompt`: every call asks. `deny_all`: nothing runs. `allow_all`:
   * nobody is asked; what is blocked stays blocked.
   */
  approval_mode: ApprovalMode.default('auto'),
  /** Off: calls of level `safe` ask too. */
  auto_approve_safe: z.boolean().default(true),
  /**
   * `false`: calls of level `warning` run without asking. `unless_reversible`: those run without asking that run as
   * transactions, touch the workspace alone and can be undone.
   */
  prompt_on_warning: z.union([z.boolean(), z.literal('unless_reversible')]).default('unless_reversible'),
  /**
   * `when_reversible`: what `undo` can take back runs without asking. `ask`: every change asks, that of a script before
   * its files are put. `never`: plain changes inside the workspace never ask. What is dangerous asks in any case.
   */
  file_writes: FileWrites.default('when_reversible'),
  /** On: calls of level `dangerous` are denied and nobody is asked. */
  deny_dangerous: z.boolean().default(false),
  /** How long a question stays open. */
  expiry: Duration.prefault('30m'),
  /**
   * What becomes of a question then. `pause`: its session is paused until somebody answers, and where nobody waits for
   * it the next identical call uses a late answer. `deny`: it is refused for good.
   */
  on_expiry: z.enum(['pause', 'deny']).default('pause'),
  /**
   * Lines that only read with a tool that you are logged in to (`gh pr view`, `kubectl get pods`, `docker ps`) run
   * without a question, with the login that they need. `signalbox rules reads` writes it.
   */
  reads: z.strictObject({ docker: readsOf, gh: readsOf, kubectl: readsOf }).prefault({}),
});
