/** Whether widgets can be shown in this process, and by whom. */
import type { WidgetRenderer } from './widget-renderer.ts';

/** One sentence that says why not, and how that is changed. */
export interface NoWidgets {
  readonly missing: string;
}

export type WidgetsHere = WidgetRenderer | NoWidgets;
