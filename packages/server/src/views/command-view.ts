import type { CommandView } from '@signalbox/api';
import {
  type CommandRecord,
  Json,
  JsonObject,
  publishedStatus,
  type Redactor,
  Verdict,
} from '@signalbox/core';

/** Longest output text in a list, in UTF-16 units; `/output` has all of it. */
const LONGEST_IN_LIST = 2000;

const { effects: Effects } = Verdict.unwrap().shape;

export type CommandViews = {
  of(record: CommandRecord): CommandView;
  /** For lists: outputs are cut to their first 2,000 characters. */
  short(record: CommandRecord): CommandView;
};

/** A record that is not done still holds its call as the model wrote it, which must not leave the process. */
export function createCommandViews(redactor: Pick<Redactor, 'redact' | 'redactJson'>): CommandViews {
  function of(record: CommandRecord): CommandView {
    const { env: _env, clientEnv: _clientEnv, ...context } = record.context;
    const args = withoutSecrets(record.call.args);
    const changed = JSON.stringify(args) !== JSON.stringify(record.call.args);
    return {
      ...record,
      call: { ...record.call, args },
      context: {
        ...context,
        ...(context.says === undefined ? {} : { says: redactor.redact(context.says) }),
        ...(context.task === undefined ? {} : { task: redactor.redact(context.task) }),
      },
      verdict: record.verdict === null ? null : verdictView(record.verdict, changed),
      approval: approvalView(record.approval),
      status: publishedStatus(record),
    };
  }

  function withoutSecrets(args: JsonObject): JsonObject {
    return JsonObject.parse(redactor.redactJson(args));
  }

  /** Spans refer to the original line; in a redacted line they would underline the wrong words. */
  function verdictView(verdict: Verdict, lineChanged: boolean): Verdict {
    return {
      ...verdict,
      effects: Effects.parse(redactor.redactJson(Json.parse(verdict.effects))),
      reasons: verdict.reasons.map(({ span, ...reason }) => ({
        ...reason,
        text: redactor.redact(reason.text),
        ...(span === undefined || lineChanged ? {} : { span }),
      })),
    };
  }

  function approvalView(approval: CommandRecord['approval']): CommandRecord['approval'] {
    if (approval?.status !== 'granted' || approval.modifiedFrom === undefined) return approval;
    const { modifiedFrom } = approval;
    return { ...approval, modifiedFrom: { ...modifiedFrom, args: withoutSecrets(modifiedFrom.args) } };
  }

  return {
    of,
    short(record) {
      const view = of(record);
      if (view.result === null) return view;
      const { stdout, stderr, content } = view.result;
      return {
        ...view,
        result: {
          ...view.result,
          stdout: cut(stdout),
          stderr: cut(stderr),
          content: cut(content),
          output: null,
        },
      };
    },
  };
}

function cut(text: string): string {
  return text.length <= LONGEST_IN_LIST ? text : `${text.slice(0, LONGEST_IN_LIST).toWellFormed()}…`;
}
