import type { WidgetRenderer } from './widget-renderer.ts';

/** Why widgets cannot be rendered and what to do about it, as one sentence. */
export interface NoWidgets {
  readonly missing: string;
}

export type WidgetsHere = WidgetRenderer | NoWidgets;
