import * as z from 'zod';

/** UTF-8, or no encoding at all: under one such as Shift JIS a shell would read other words than the policy judged. */
const Locale = z
  .string()
  .max(64)
  .regex(/^(?:C|POSIX|(?:C|[A-Za-z]{2,3}(?:_[A-Za-z]{2,3})?)\.[Uu][Tt][Ff]-?8(?:@[A-Za-z]+)?)$/)
  .optional();

const locale = {
  LANG: Locale,
  LANGUAGE: z
    .string()
    .max(128)
    .regex(/^[A-Za-z_:]+$/)
    .optional(),
  LC_ALL: Locale,
  LC_COLLATE: Locale,
  LC_CTYPE: Locale,
  LC_MESSAGES: Locale,
  LC_MONETARY: Locale,
  LC_NUMERIC: Locale,
  LC_TIME: Locale,
};

/**
 * Variables of the client's environment that its shell lines run with. Only these names: no keys, and nothing that
 * tells a program what to load.
 */
export const ClientEnvironment = z
  .strictObject({
    /** Folders of programs. Below a home, only these are visible to the command. */
    PATH: z
      .string()
      .max(16_384)
      .regex(/^[^\0\n]+$/)
      .optional(),
    TZ: z
      .string()
      .max(128)
      .regex(/^:?[A-Za-z0-9_+\-/:.,<>]+$/)
      .optional(),
    ...locale,
  })
  .readonly();
export type ClientEnvironment = z.infer<typeof ClientEnvironment>;

type Environment = Readonly<Record<string, string | undefined>>;

/** The part of its environment that a client sends; a value that is not accepted is left out. */
export function clientEnvironment(env: Environment): ClientEnvironment {
  const { shape } = ClientEnvironment.unwrap();
  return Object.fromEntries(
    Object.entries(shape).flatMap(([name, schema]) => {
      const { data } = schema.safeParse(env[name]);
      return data === undefined ? [] : [[name, data]];
    }),
  );
}

/** The same without a locale: models, and the filters of what they read, expect the English output of programs. */
export function modelEnvironment(env: Environment): ClientEnvironment {
  const { PATH, TZ } = env;
  return clientEnvironment({ PATH, TZ });
}
