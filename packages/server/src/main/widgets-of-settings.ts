/** The browser that shows widgets in this process. Nothing is loaded or started before a widget is to be shown. */
import { findChromium } from '../browser/find-chromium.ts';
import { lazyRenderer, type WidgetsHere } from '../browser/widgets-here.ts';
import type { EgressPolicy } from '../egress/address-policy.ts';
import type { Settings } from './settings.ts';

export function widgetsOfSettings({ chromium }: Settings, egress: EgressPolicy): WidgetsHere {
  const found = findChromium(chromium, process.env);
  if ('missing' in found) return found;
  return lazyRenderer(async () => {
    const { createWidgetRenderer } = await import('../browser/create-widget-renderer.ts');
    return createWidgetRenderer({ chromium: found, egress });
  });
}

/** One sentence; null where widgets can be shown. */
export function whyNoWidgets({ chromium }: Settings): string | null {
  const found = findChromium(chromium, process.env);
  return 'missing' in found ? found.missing : null;
}

export async function closeWidgets(widgets: WidgetsHere): Promise<void> {
  if (!('missing' in widgets)) await widgets.close();
}
