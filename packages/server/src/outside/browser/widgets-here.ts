/** Whether this process can render widgets, and its renderer. */
import type { WidgetRenderer } from './widget-renderer.ts';

/** The reason, as one sentence, with its remedy. */
export interface NoWidgets {
  readonly missing: string;
}

export type WidgetsHere = WidgetRenderer | NoWidgets;
