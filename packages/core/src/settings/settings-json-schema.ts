import * as z from 'zod';
import { JsonObject } from '../json.ts';
import { Settings } from './settings.ts';

/** The JSON Schema of `signalbox.yaml`, for editors: the input of the schema, not its output. */
export function settingsJsonSchema(): JsonObject {
  const schema = z.toJSONSchema(Settings, { io: 'input' });
  return JsonObject.parse({ ...schema, title: 'signalbox.yaml' });
}
