/**
 * Which tools the model may see, and which a widget may call. A tool can say in `_meta.ui.visibility` whom it is for; a
 * list without "model" keeps it from the model, unless the client says that it does not respect that, and one without
 * "app" from widgets. A tool that says nothing, or nothing we can read, is for both.
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

/** Whether it says that no model may call it. */
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
