/** The browser that shows widgets in this process. Nothing is started before a widget is to be shown. */
import { createWidgetRenderer } from '../browser/create-widget-renderer.ts';
import { type FoundChromium, findChromium } from '../browser/find-chromium.ts';
import type { WidgetsHere } from '../browser/widgets-here.ts';
import type { EgressPolicy } from '../egress/address-policy.ts';
import type { Settings } from './settings.ts';

export function widgetsOfSettings(settings: Settings, egress: EgressPolicy): WidgetsHere {
  const chromium = chromiumOf(settings);
  const memoryBytes = settings.widgetMemoryMb * 1024 * 1024;
  return 'missing' in chromium ? chromium : createWidgetRenderer({ chromium, egress, memoryBytes });
}

/** One sentence; null where widgets can be shown. */
export function whyNoWidgets(settings: Settings): string | null {
  const chromium = chromiumOf(settings);
  return 'missing' in chromium ? chromium.missing : null;
}

export async function closeWidgets(widgets: WidgetsHere): Promise<void> {
  if (!('missing' in widgets)) await widgets.close();
}

function chromiumOf({ chromium }: Settings): FoundChromium {
  return findChromium(chromium, process.env);
}
