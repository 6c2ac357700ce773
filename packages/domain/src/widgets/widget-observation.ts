/** What was seen of one widget of a trial: how showing it ended, and what it did while it was open. */
import type { RenderStatus } from '../assertions/transcript.ts';
import type { Json } from '../kernel/json.ts';

export interface WidgetObservation {
  readonly toolName: string;
  readonly serverName: string;
  /** The call whose result it shows. */
  readonly toolCallId: string;
  readonly promptIndex: number;
  readonly status: RenderStatus;
  /** From the call's result to a widget that says it is ready and shows something. Absent where it never did. */
  readonly elapsedMs?: number;
  /** One sentence for people, where it was not rendered. */
  readonly message?: string;
  readonly trail: WidgetTrail;
  readonly accessibility?: readonly AccessibilityNote[];
  readonly pictures: readonly WidgetPicture[];
}

/** What a widget said and tried. Every list is bounded; `dropped` counts what did not fit, by list. */
export interface WidgetTrail {
  readonly consoleLines: readonly ConsoleLine[];
  readonly calls: readonly WidgetCall[];
  /** What it asked to say in the conversation. Recorded, not said. */
  readonly messages: readonly string[];
  /** Addresses it asked to open. Recorded, not followed. */
  readonly links: readonly string[];
  /** Requests that its declaration does not allow, none of which left the browser. */
  readonly refused: readonly RefusedRequest[];
  /** Of its content, as it last told. */
  readonly size?: { readonly width?: number; readonly height?: number };
  readonly dropped: Readonly<Record<string, number>>;
}

export interface ConsoleLine {
  readonly level: 'error' | 'warning' | 'info';
  readonly text: string;
  readonly atMs: number;
}

/** A call of a tool that the widget made, not the model. */
export interface WidgetCall {
  readonly toolName: string;
  readonly arguments: Json;
  readonly outcome: 'answered' | 'error' | 'refused';
  /** One sentence, where it was refused or failed. */
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
  /** The step after which it was taken; absent for the one after it was shown. */
  readonly stepId?: string;
  readonly width: number;
  readonly height: number;
  /** SHA-256 of the PNG, lower hex: pictures are stored apart, by it. */
  readonly sha256: string;
  readonly bytes: number;
}
