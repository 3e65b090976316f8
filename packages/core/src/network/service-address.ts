import * as z from 'zod';
import { parseTarget } from './host.ts';

const LOOPBACK: ReadonlySet<string> = new Set(['127.0.0.1', 'localhost', '::1']);

/** A service on this machine's loopback, such as a database: `127.0.0.1:5432`, `localhost:6379`, `[::1]:3306`. */
export const ServiceAddress = z
  .string()
  .max(100)
  .refine(
    (written) => {
      const target = parseTarget(written);
      return target !== null && LOOPBACK.has(target.host.text);
    },
    { error: 'must be a port of this machine: "127.0.0.1:5432"' },
  );
export type ServiceAddress = z.infer<typeof ServiceAddress>;
