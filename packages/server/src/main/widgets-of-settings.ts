/** The browser that shows widgets in this process. Nothing is started before a widget is to be shown. */
import { findChromium } from '../browser/find-chromium.ts';
import type { WidgetRenderer } from '../browser/widget-renderer.ts';
import { lazyRenderer, type WidgetsHere } from '../browser/widgets-here.ts';
import type { EgressPolicy } from '../egress/address-policy.ts';
import type { Settings } from './settings.ts';

type MakeRenderer = (chromium: string, egress: EgressPolicy) => Promise<WidgetRenderer>;

/** Absent where this version has none. */
const makeRenderer = undefined as MakeRenderer | undefined;

export function widgetsOfSettings(settings: Settings, egress: EgressPolicy): WidgetsHere {
  const found = find(settings);
  return 'missing' in found ? found : lazyRenderer(() => found.make(found.path, egress));
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
  const found = findChromium(chromium, process.env);
  if ('missing' in found) return found;
  if (makeRenderer === undefined) return { missing: 'This version cannot show widgets.' };
  return { ...found, make: makeRenderer };
}
