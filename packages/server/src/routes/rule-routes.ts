import { addRule, checkRule, listRules, removeRule } from '@signalbox/api';
import { readSessionRules } from '@signalbox/coordinator';
import { JsonObject, shortId, UserRule } from '@signalbox/core';
import { RequestRefusedError } from '../problem.ts';
import type { RouteParts, Routes } from './route-parts.ts';

/** User rules: list, add and remove. */
export function ruleRoutes(app: Routes, { coordinator, services, facts }: RouteParts): void {
  app.get(
    listRules.url,
    {
      config: { access: ['look'] },
      schema: {
        summary: 'User rules, with where each is stored; those of sessions last',
        tags: ['policy'],
        ...listRules.schema,
      },
    },
    async () => ({ rules: [...services.ownRules(), ...(await sessionRules())] }),
  );

  app.post(
    checkRule.url,
    {
      config: { access: ['look'] },
      schema: {
        summary: 'Whether a text is a valid rule, and exactly what would be written; stores nothing',
        tags: ['policy'],
        ...checkRule.schema,
      },
    },
    async (request) => services.rules.read(request.body.text),
  );

  app.post(
    addRule.url,
    {
      config: { access: ['operate'] },
      schema: {
        summary: 'Write a rule into a settings file; it takes effect at once',
        description: 'A shared allow rule takes effect only after `signalbox rules trust`.',
        tags: ['policy'],
        ...addRule.schema,
      },
    },
    async (request) => {
      const { text, file } = request.body;
      const draft = services.rules.read(text);
      if (draft.kind === 'fits') return services.rules.add(draft.rule, file);
      throw new RequestRefusedError(400, 'unfit-rule', `Cannot write this rule: ${draft.why}`);
    },
  );

  app.delete(
    removeRule.url,
    {
      config: { access: ['operate'] },
      schema: {
        summary: 'Remove a rule from its file or its session',
        tags: ['policy'],
        ...removeRule.schema,
      },
    },
    async (request) => {
      const { layer, id } = request.params;
      const isGone =
        layer === 'session'
          ? await coordinator.sessionRules.remove(id)
          : await services.rules.remove(id, layer);
      if (isGone) return { removed: id };
      throw new RequestRefusedError(404, 'unknown-rule', `Cannot find rule "${id}" there`, {
        next: ['GET /api/policy/rules lists where each is stored'],
      });
    },
  );

  async function sessionRules(): Promise<readonly UserRule[]> {
    return (await readSessionRules(facts)).flatMap(({ session, rule }) => {
      const { data } = UserRule.safeParse(JsonObject.parse(rule));
      const source = `session ${shortId(session)}`;
      return data === undefined ? [] : [{ ...data, layer: 'session' as const, source, file: source }];
    });
  }
}
