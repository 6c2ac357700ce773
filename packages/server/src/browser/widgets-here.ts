/** Whether widgets can be shown in this process, and by whom. */
import type { WidgetRenderer } from './widget-renderer.ts';

/** One sentence that says why not, and how that is changed. */
export interface NoWidgets {
  readonly missing: string;
}

export type WidgetsHere = WidgetRenderer | NoWidgets;

/** Nothing is made before a widget is to be shown. What could not be made is tried anew for the next one. */
export function lazyRenderer(make: () => Promise<WidgetRenderer>): WidgetRenderer {
  let made: Promise<WidgetRenderer> | undefined;
  const renderer = () => {
    made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return made;
  };
  return {
    open: async (...widget) => (await renderer()).open(...widget),
    async close() {
      await (await made?.catch(() => undefined))?.close();
    },
  };
}
