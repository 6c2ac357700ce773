import type { RenderStatus } from '../assertions/transcript.ts';
import type { Json } from '../kernel/json.ts';

export interface WidgetObservation {
  readonly toolName: string;
  readonly serverName: string;
  readonly toolCallId: string;
  readonly promptIndex: number;
  readonly status: RenderStatus;
  /**
   * The time from the call's result until the widget has reported that it is ready and has shown
   * content; absent if that never happened.
   */
  readonly elapsedMs?: number;
  readonly message?: string;
  readonly trail: WidgetActivity;
  readonly accessibility?: readonly AccessibilityNote[];
  readonly pictures: readonly WidgetPicture[];
}

/** What a widget did. Every list has a limit; `dropped` counts the entries beyond it, by list. */
export interface WidgetActivity {
  readonly consoleLines: readonly ConsoleLine[];
  readonly calls: readonly WidgetCall[];
  /** Messages that the widget wanted to add to the conversation. They are recorded but not sent. */
  readonly messages: readonly string[];
  /** Addresses that the widget wanted to open. They are recorded but not opened. */
  readonly links: readonly string[];
  /** Requests that the widget did not declare. The browser blocked all of them. */
  readonly refused: readonly RefusedRequest[];
  readonly size?: { readonly width?: number; readonly height?: number };
  readonly dropped: Readonly<Record<string, number>>;
}

export interface ConsoleLine {
  readonly level: 'error' | 'warning' | 'info';
  readonly text: string;
  readonly atMs: number;
}

/** A tool call made by the widget, not by the model. */
export interface WidgetCall {
  readonly toolName: string;
  readonly arguments: Json;
  readonly outcome: 'answered' | 'error' | 'refused';
  readonly message?: string;
}

export interface RefusedRequest {
  readonly what: 'request' | 'navigation' | 'popup' | 'download' | 'dialog' | 'webSocket';
  readonly url: string;
}

/** A note about accessibility. It is advisory and never fails a trial. */
export interface AccessibilityNote {
  readonly rule: string;
  readonly impact: 'minor' | 'moderate' | 'serious' | 'critical';
  readonly help: string;
  readonly elements: number;
}

export interface WidgetPicture {
  /**
   * The step after which the picture was taken; absent for the picture taken right after rendering.
   */
  readonly stepId?: string;
  readonly width: number;
  readonly height: number;
  /** SHA-256 of the PNG in lower-case hexadecimal. The picture is stored under this name. */
  readonly sha256: string;
  readonly bytes: number;
}
