/**
 * The observation of one widget of a trial: the result of rendering it, and its actions while it
 * was open.
 */
import type { RenderStatus } from '../assertions/transcript.ts';
import type { Json } from '../kernel/json.ts';

export interface WidgetObservation {
  readonly toolName: string;
  readonly serverName: string;
  /** The call whose result it shows. */
  readonly toolCallId: string;
  readonly promptIndex: number;
  readonly status: RenderStatus;
  /**
   * The time from the call's result until the widget reports that it is ready and shows something.
   * Absent if it never did.
   */
  readonly elapsedMs?: number;
  /** One sentence for people, if it was not rendered. */
  readonly message?: string;
  readonly trail: WidgetTrail;
  readonly accessibility?: readonly AccessibilityNote[];
  readonly pictures: readonly WidgetPicture[];
}

/**
 * The trail of a widget. Every list is bounded; `dropped` counts the entries beyond the bound, by
 * list.
 */
export interface WidgetTrail {
  readonly consoleLines: readonly ConsoleLine[];
  readonly calls: readonly WidgetCall[];
  /** Messages that it requested for the conversation. They are recorded and not sent. */
  readonly messages: readonly string[];
  /** Addresses that it requested to open. They are recorded and not opened. */
  readonly links: readonly string[];
  /** Requests that its declaration does not allow; none of them left the browser. */
  readonly refused: readonly RefusedRequest[];
  /** The last reported size of its content. */
  readonly size?: { readonly width?: number; readonly height?: number };
  readonly dropped: Readonly<Record<string, number>>;
}

export interface ConsoleLine {
  readonly level: 'error' | 'warning' | 'info';
  readonly text: string;
  readonly atMs: number;
}

/** A tool call by the widget, not by the model. */
export interface WidgetCall {
  readonly toolName: string;
  readonly arguments: Json;
  readonly outcome: 'answered' | 'error' | 'refused';
  /** One sentence, if it was rejected or failed. */
  readonly message?: string;
}

export interface RefusedRequest {
  readonly what: 'request' | 'navigation' | 'popup' | 'download' | 'dialog' | 'webSocket';
  readonly url: string;
}

/** Advisory: never a reason to fail. */
export interface AccessibilityNote {
  readonly rule: string;
  readonly impact: 'minor' | 'moderate' | 'serious' | 'critical';
  readonly help: string;
  readonly elements: number;
}

export interface WidgetPicture {
  /** The step before the picture; absent for the first picture after rendering. */
  readonly stepId?: string;
  readonly width: number;
  readonly height: number;
  /** SHA-256 of the PNG in lower hex, under which the picture is stored. */
  readonly sha256: string;
  readonly bytes: number;
}
