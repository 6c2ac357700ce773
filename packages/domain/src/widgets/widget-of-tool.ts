/**
 * Reads the widget's address from the first of these keys that is present: `_meta.ui.resourceUri`,
 * `_meta["ui/resourceUri"]`, the older `_meta["openai/outputTemplate"]`. If it is no `ui://`
 * address, the tool has no widget.
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
