/**
 * Creates the renderer of widgets for this process. The browser starts only when the first widget
 * is rendered.
 */
import { browserWarnings } from '@proofmark/domain';
import { createWidgetRenderer } from '../outside/browser/create-widget-renderer.ts';
import { type FoundChromium, findChromium } from '../outside/browser/find-chromium.ts';
import type { WidgetsHere } from '../outside/browser/widgets-here.ts';
import type { EgressPolicy } from '../outside/egress/address-policy.ts';
import type { Settings } from './settings.ts';

/** `warn` is called once for each fact about the browser that an operator should know. */
export function widgetsOfSettings(
  settings: Settings,
  egress: EgressPolicy,
  warn: (sentence: string) => void = () => undefined,
): WidgetsHere {
  const chromium = chromiumOf(settings);
  const memoryBytes = settings.widgetMemoryMb * 1024 * 1024;
  if ('missing' in chromium) return chromium;
  const warned = new Set<string>();
  const warnOnce = (sentence: string) => {
    if (!warned.has(sentence)) warn(sentence);
    warned.add(sentence);
  };
  return createWidgetRenderer({
    chromium,
    egress,
    memoryBytes,
    sandbox: settings.chromiumSandbox,
    user: settings.chromiumUser,
    onBrowser: (found) => {
      for (const sentence of browserWarnings(found)) warnOnce(sentence);
    },
  });
}

/** Returns why widgets cannot be rendered, as one sentence, or null if they can. */
export function whyNoWidgets(settings: Settings): string | null {
  const chromium = chromiumOf(settings);
  return 'missing' in chromium ? chromium.missing : null;
}

export async function closeWidgets(widgets: WidgetsHere): Promise<void> {
  if (!('missing' in widgets)) await widgets.close();
}

function chromiumOf({ chromium, browserVariables = process.env }: Settings): FoundChromium {
  return findChromium(chromium, browserVariables);
}
