/** The browser that shows widgets in this process. Nothing is started before a widget is to be shown. */
import { type FoundChromium, findChromium } from '../browser/find-chromium.ts';
import type { WidgetRenderer } from '../browser/widget-renderer.ts';
import { lazyRenderer, type WidgetsHere } from '../browser/widgets-here.ts';
import type { EgressPolicy } from '../egress/address-policy.ts';
import type { Settings } from './settings.ts';

export function widgetsOfSettings(settings: Settings, egress: EgressPolicy): WidgetsHere {
  const chromium = find(settings);
  return 'missing' in chromium ? chromium : lazyRenderer(() => makeRenderer(chromium, egress));
}

/** One sentence; null where widgets can be shown. */
export function whyNoWidgets(settings: Settings): string | null {
  const found = find(settings);
  return 'missing' in found ? found.missing : null;
}

export async function closeWidgets(widgets: WidgetsHere): Promise<void> {
  if (!('missing' in widgets)) await widgets.close();
}

function find({ chromium }: Settings) {
  return findChromium(chromium, process.env);
}

/** What drives the browser is loaded with the first widget. */
async function makeRenderer(
  chromium: FoundChromium,
  egress: EgressPolicy,
): Promise<WidgetRenderer> {
  const { createWidgetRenderer } = await import('../browser/create-widget-renderer.ts');
  return createWidgetRenderer({ chromium, egress });
}
