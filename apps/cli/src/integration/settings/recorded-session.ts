import {
  type ModelCall,
  type RecordedRequest,
  startRecordedModel,
  workspaceOf,
} from '../../testing/recorded-model.ts';
import { createTestTerminal } from '../../testing/test-context.ts';

const FREE = { approval: { approval_mode: 'allow_all' } } as const;

/** A task that `git_log` fits best, by its words. */
export const LOG_TASK = 'List the newest commits, each with its author, date and subject';

/** The session's own tool is in every offer. */
const namesIn = ({ tools }: RecordedRequest): readonly string[] =>
  tools.map(({ function: { name } }) => name).filter((name) => name !== 'compress_context');

/** What a session's model was sent. */
export type RecordedSession = Readonly<{
  /** The names of the tools in each request. */
  offers: readonly (readonly string[])[];
  requests: readonly RecordedRequest[];
  /** What the model read after each turn. */
  answersTo: (turn: number) => readonly string[];
  workspace: string;
}>;

/** Runs one session, whose model makes these calls, one a turn. */
export async function runRecordedSession(
  settings: Readonly<Record<string, unknown>>,
  {
    turns = [],
    task = LOG_TASK,
    vectors,
  }: Readonly<{
    turns?: readonly ModelCall[];
    task?: string;
    /** Address of the provider `vectors`. */
    vectors?: string;
  }> = {},
): Promise<RecordedSession> {
  const model = await startRecordedModel(turns.map((call) => () => [call]));
  const workspace = await workspaceOf(
    { local: model, ...(vectors === undefined ? {} : { vectors: { ...model, url: vectors } }) },
    { files: { 'a.txt': 'first\n' }, local: { ...FREE, ...settings } },
  );
  await createTestTerminal(workspace).signalbox('run', task, '-p', 'local', '--until', 'true');
  const { requests, answersTo } = model;
  return { offers: requests.map(namesIn), requests, answersTo, workspace };
}
