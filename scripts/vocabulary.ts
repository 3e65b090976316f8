/**
 * Words that exported type names may use besides the vocabulary of STYLE.md, singular: standard terms of the field and plain
 * English. A word that is missing here is looked up there first; a new one has to be what others in this field say.
 */
export const STANDARD_TERMS: readonly string[] = `
  absence access account accumulator action activity address addresses admission admit advance adversarial agreed agreement
  ai alarm alias all allow ansi answer answered anthropic api applied approver arg argument argv arrival ask
  assignment assistant attempt attention attribute audit audited awk axis background badge barrier base baseline before bench
  block blocker blocking bounded bounds branch bridge bucket budget built by bytes cache caller candidate
  captions category cell certificates cgroup chain chained change changed channel chat check checked checkout
  chip choice chosen chunk classify clock code collector colour column comparison compile compiled complexity
  compressed compression conditions confidence configuration confinement confirm conflict connection consumer
  container content contention controller copier copy count counted counter counting cpu create cut dashboard
  data database decision declared delta demo denials denied deny dependencies dependency detached diagnosis
  diagram diff difference direct direction disk dispatch distributed distribution doctor documented done dot
  draft drive driver earlier edge edited edits embedded embedder embedding end endings ends engine enqueued
  entries entry environment error evaluation evidence example execute executed execution existing exit expected
  explanation extended extension facts failed failure fake fault fence fetch file filter filterable filtered find
  finding finish first flag fleet flow folder followed follower for forecast forgotten formatting forms forward
  found frame gap gate gated git given glob global grant granted graph grounding group growing guard guarded handle hashes
  head
  health held hello hidden hints history hit hold holder holding hooks host http hunk id ideal identity import
  imported in inbox index indices info injected input inspector interruption interrupts invariant invocation ip
  is isolation item journal json judge judged judgement judging kept keyboard killed kind knowledge known labels lane
  last late later launcher layer layout leaders learned led left lifecycle light limit linear link linked list
  listed listen listing live liveness loaded local located location lock log logged logger logic login lost
  manual mark marked match matcher matches mcp measured member memory merged message meter method metric
  milestone mismatch mix model monitor mount move name named namespace network new no noise note notice
  numbered numbers object obstacle of offer offered on once open opened operation option order origin other out
  outage outside overlay own page painter panel parsed part patch path pattern pending performers person phase
  picture piece pipe plain plan planned player point port position precheck predicate prepare prepared presence
  preset preview prices printed printer printing prioritize probe problem process program progress project
  prompt prompter proposal proposed prose proxy published purpose push quantiles query question queue queued
  quick quirks random range raw reader ready real reaper reason rebased receipt received recent recipient record recorded
  recover recovery redact redacted redaction redactor redirected redis reflection refs refusal refused regex
  region registry remember remembered remote removal removed rendering renewing repair repeat repeated
  replacement replay report reported reporter repository required requested rerun resolve result resumed retention retry retrying
  reusable reuse revert review reviewed revision ripgrep risk role rollback rounds route row run running sample save savings
  scenario scene scheduler schema scope score scoreboard scored screen script scripted search searched seccomp secret sed
  seed seen selection send sender sent sentinel series served server setting shadow share shared shingles short
  shown signalbox similarities similarity simple simulated since size skipped slow small source span split
  stack staged stale stamp stamped starlark start started starter starting state stateless statement stats stdio step
  stopwatch store stored stream streamed strength strictest stripped stuck style subject submitted subscription
  suggestion summary supervisor suspect syntax table tail take target tcp term terminal test text throttle
  ticket timed timeline times titled to toml torn totals touch trace traffic traits transcript tree trial tried
  tries trust trusted tunnel turn type typed ui unavailable uncertain under undo undoable undone unfinished untrusted
  unreadable unrun until up update usage use user utility value variable vector verified version view violation visible
  visit visited visitor wait waiting walk walked wanted warning watch watched watcher weak website with
  withheld word work workload world writer written
`
  .trim()
  .split(/\s+/);

/** The imagery of the brand: in the logo and in pictures alone. */
export const BRAND_WORDS: readonly string[] = [
  'railway',
  'signalman',
  'lever',
  'semaphore',
  'siding',
  'junction',
  'station',
  'locomotive',
  'wagon',
  'shunt',
  'train',
  'trains',
];
