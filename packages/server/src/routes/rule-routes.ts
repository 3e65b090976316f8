import { readSessionRules } from '@signalbox/coordinator';
import { JsonObject, shortId, UserRule } from '@signalbox/core';
import * as z from 'zod';
import { Problem, RequestRefusedError } from '../problem.ts';
import { Draft } from './remember-routes.ts';
import type { RouteParts, Routes } from './route-parts.ts';

const Text = z.strictObject({
  text: z.string().min(1).max(20_000).describe('One rule as YAML, or JSON'),
});
const File = z
  .enum(['local', 'workspace', 'user'])
  .describe('Yours for this workspace; shared with all who work here; yours for all workspaces');
const Layer = z.enum(['session', ...File.options]);

/** Rules of people: which there are, and writing and taking them out. */
export function ruleRoutes(app: Routes, { coordinator, services, facts }: RouteParts): void {
  app.get(
    '/api/policy/rules',
    {
      config: { access: ['look'] },
      schema: {
        summary: 'Your own rules, with where each stands; those of sessions last',
        tags: ['policy'],
        response: { 200: z.strictObject({ rules: z.array(z.unknown()) }), default: Problem },
      },
    },
    async () => {
      const rules = [...services.ownRules(), ...(await sessionRules())];
      return { rules: rules.map((rule: UserRule) => JSON.parse(JSON.stringify(rule)) as unknown) };
    },
  );

  app.post(
    '/api/policy/rules/check',
    {
      config: { access: ['look'] },
      schema: {
        summary: 'Whether a text is a rule, and exactly what would be written; stores nothing',
        tags: ['policy'],
        body: Text,
        response: { 200: Draft, default: Problem },
      },
    },
    async (request) => services.rules.read(request.body.text),
  );

  app.post(
    '/api/policy/rules',
    {
      config: { access: ['operate'] },
      schema: {
        summary: 'Write a rule into a settings file; it counts at once',
        description: 'A shared allow counts only after `signalbox rules trust`.',
        tags: ['policy'],
        body: Text.extend({ file: File }),
        response: {
          200: z.strictObject({ id: z.string(), where: z.string(), counts: z.boolean() }),
          default: Problem,
        },
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
    '/api/policy/rules/:layer/:id',
    {
      config: { access: ['operate'] },
      schema: {
        summary: 'Take a rule out of its file, or from the session that has it',
        tags: ['policy'],
        params: z.object({ layer: Layer, id: z.string().max(64) }),
        response: { 200: z.strictObject({ removed: z.string() }), default: Problem },
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
        next: ['GET /api/policy/rules says where each stands'],
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
