/**
 * Decides which tools a model may see and which a widget may call. A tool lists its permitted
 * callers in `_meta.ui.visibility`. Without "model" in the list, the model does not see the tool
 * (unless the client ignores the list); without "app", widgets cannot call it. A tool without a
 * readable list is for both.
 */
import { isRecord } from '../kernel/json.ts';
import type { ClientConfig } from './client-config.ts';

export function visibleTools<Tool extends object>(
  config: Pick<ClientConfig, 'respectToolVisibility'>,
  tools: readonly Tool[],
): readonly Tool[] {
  if (config.respectToolVisibility === false) return tools;
  return tools.filter((tool) => isFor('model', tool));
}

export function isForWidgetsAlone(tool: object): boolean {
  return !isFor('model', tool);
}

export function mayWidgetCall(tool: object): boolean {
  return isFor('app', tool);
}

function isFor(whom: 'model' | 'app', tool: object): boolean {
  const visibility = member(member(member(tool, '_meta'), 'ui'), 'visibility');
  return !Array.isArray(visibility) || visibility.includes(whom);
}

function member(value: unknown, key: string): unknown {
  return isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}
