/**
 * Returns the widget that a listed tool names: in `_meta.ui.resourceUri`, in its flat form, or in
 * the older `openai/outputTemplate`. The first of these that is present counts; if it is no `ui://`
 * address, there is no widget.
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
