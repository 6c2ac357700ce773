/**
 * What was observed of one widget in a trial: how rendering went, and what the widget did while it
 * was open.
 */
import type { RenderStatus } from '../assertions/transcript.ts';
import type { Json } from '../kernel/json.ts';

export interface WidgetObservation {
  readonly toolName: string;
  readonly serverName: string;
  /** The id of the call whose result the widget shows. */
  readonly toolCallId: string;
  readonly promptIndex: number;
  readonly status: RenderStatus;
  /**
   * The time from the call's result until the widget says that it is ready and shows something;
   * absent if that never happened.
   */
  readonly elapsedMs?: number;
  /** Why the widget was not rendered, in one sentence for people. */
  readonly message?: string;
  readonly trail: WidgetTrail;
  readonly accessibility?: readonly AccessibilityNote[];
  readonly pictures: readonly WidgetPicture[];
}

/** What a widget did. Every list has a limit; `dropped` counts the entries beyond it, by list. */
export interface WidgetTrail {
  readonly consoleLines: readonly ConsoleLine[];
  readonly calls: readonly WidgetCall[];
  /** Messages that the widget wanted to add to the conversation. They are recorded but not sent. */
  readonly messages: readonly string[];
  /** Addresses that the widget wanted to open. They are recorded but not opened. */
  readonly links: readonly string[];
  /**
   * Requests that the widget's declaration does not allow. All of them were blocked inside the
   * browser.
   */
  readonly refused: readonly RefusedRequest[];
  /** The last size that the widget reported for its content. */
  readonly size?: { readonly width?: number; readonly height?: number };
  readonly dropped: Readonly<Record<string, number>>;
}

export interface ConsoleLine {
  readonly level: 'error' | 'warning' | 'info';
  readonly text: string;
  readonly atMs: number;
}

/** A tool call that the widget made, not the model. */
export interface WidgetCall {
  readonly toolName: string;
  readonly arguments: Json;
  readonly outcome: 'answered' | 'error' | 'refused';
  /** Why the call was rejected or failed, in one sentence. */
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
  /** The step after which the picture was taken; absent for the first picture after rendering. */
  readonly stepId?: string;
  readonly width: number;
  readonly height: number;
  /** SHA-256 of the PNG in lower-case hexadecimal. The picture is stored under this name. */
  readonly sha256: string;
  readonly bytes: number;
}
