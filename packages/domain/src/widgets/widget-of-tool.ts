/**
 * Which user interface a listed tool names: by `_meta.ui.resourceUri`, by the same written flat, or by the older
 * `openai/outputTemplate`. The first that is there counts; one that is no `ui://` address names none.
 */
import { isRecord, type Json } from '../kernel/json.ts';

export function widgetOfTool(tool: Json): string | undefined {
  const meta = recordOf(tool['_meta']);
  const named = [
    recordOf(meta['ui'])['resourceUri'],
    meta['ui/resourceUri'],
    meta['openai/outputTemplate'],
  ].find((one) => one !== undefined);
  return typeof named === 'string' && /^ui:\/\/\S+$/.test(named) ? named : undefined;
}

function recordOf(value: unknown): Json {
  return isRecord(value) ? value : {};
}
