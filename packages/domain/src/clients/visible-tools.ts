/**
 * Which tools the model may see. A tool can say in `_meta.ui.visibility` whom it is for; a list without "model" keeps
 * it from the model, where the client respects that. A tool that says nothing, or nothing we can read, is seen.
 */
import { isRecord } from '../kernel/json.ts';
import type { ClientConfig } from './client-config.ts';

export function visibleTools<Tool extends object>(
  config: Pick<ClientConfig, 'respectToolVisibility'>,
  tools: readonly Tool[],
): readonly Tool[] {
  if (config.respectToolVisibility !== true) return tools;
  return tools.filter((tool) => {
    const visibility = member(member(member(tool, '_meta'), 'ui'), 'visibility');
    return !Array.isArray(visibility) || visibility.includes('model');
  });
}

function member(value: unknown, key: string): unknown {
  return isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}
