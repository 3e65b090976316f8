import * as z from 'zod';
import { JsonObject } from '../json.ts';
import { Settings } from './settings.ts';

/** The JSON Schema of `signalbox.yaml`, for editors: what may be written, not what is made of it. */
export function settingsJsonSchema(): JsonObject {
  const schema = z.toJSONSchema(Settings, { io: 'input' });
  return JsonObject.parse({ ...schema, title: 'signalbox.yaml' });
}
