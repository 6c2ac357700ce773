/**
 * Describes the browser that renders widgets in this process. Starts the browser for this, unless
 * it was examined a short while ago.
 */
import type { Health } from '@proofmark/contract';
import { browserWarnings } from '@proofmark/domain';
import type { WidgetsHere } from '../../../outside/browser/widgets-here.ts';

export interface BrowserLook {
  readonly shown: Omit<Health['widgets'], 'foundBy'>;
  /** Absent if there is no browser to start, or if it has not been examined yet. */
  readonly facts?: { readonly started: boolean; readonly sandboxed: boolean };
}

export async function lookAtBrowser(
  widgets: WidgetsHere = { missing: 'This process has no browser to show widgets.' },
  waitMs: number,
): Promise<BrowserLook> {
  const none = { testable: false, browser: null, warnings: [] };
  if ('missing' in widgets) return { shown: { ...none, reason: widgets.missing } };
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), waitMs);
  });
  const state = await Promise.race([widgets.browser(), late]);
  clearTimeout(timer);
  if (state === undefined) return { shown: { ...none, reason: stillStarting } };
  if ('missing' in state) {
    const facts = { started: false, sandboxed: false };
    return { shown: { ...none, reason: state.missing }, facts };
  }
  const { failedBefore: _, ...browser } = state.found;
  return {
    shown: { testable: true, reason: null, browser, warnings: [...browserWarnings(state.found)] },
    facts: { started: true, sandboxed: browser.sandboxed },
  };
}

const stillStarting =
  'The browser for widgets is being started for a check; try again in a moment.';
