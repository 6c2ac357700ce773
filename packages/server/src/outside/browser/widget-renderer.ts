/**
 * Renders widgets of MCP servers in our browser, each in a separate page. Any behavior of a widget
 * there is reported as a result about the widget. Only a failure of our browser is thrown, as
 * BrowserLost.
 */
import type {
  AccessibilityNote,
  BrowserFound,
  Json,
  RenderStatus,
  WidgetAction,
  WidgetActivity,
  WidgetAssertion,
  WidgetDocument,
} from '@proofmark/domain';

export interface WidgetRenderer {
  /**
   * Renders a widget, and resolves when the result is known. `signal` ends the wait and closes the
   * page.
   */
  open(widget: WidgetToShow, host: WidgetHost, signal: AbortSignal): Promise<OpenWidget>;
  /** Returns what is known about the browser. Starts it if no recent result is cached. */
  browser(): Promise<BrowserState>;
  close(): Promise<void>;
}

export type BrowserState =
  | { readonly found: BrowserFound }
  /** Why no browser can be started, as one sentence. */
  | { readonly missing: string };

export interface WidgetToShow extends WidgetDocument {
  /** The definition of the tool, as its server lists it. */
  readonly tool: Json;
  readonly input: Json;
  readonly result: Json;
  readonly hostContext: Json;
  /**
   * The milliseconds that the widget has to become ready, and that each step has to find its
   * target.
   */
  readonly withinMs: number;
}

/**
 * The host's functions that a widget can call. `callTool` and `readResource` throw an error whose
 * message the widget may read.
 */
export interface WidgetHost {
  callTool(name: string, input: Json): Promise<Json>;
  readResource(uri: string): Promise<Json>;
  /**
   * Called if the egress policy blocks a request to an origin that the widget declares. A later
   * failure of the widget is then not its fault.
   */
  requestRefused?(sentence: string): void;
}

export interface OpenWidget {
  readonly rendering: Rendering;
  act(action: WidgetAction): Promise<WidgetAnswer>;
  /** Waits until the assertion holds. `widgetToolCalled` is checked against the recorded calls. */
  ask(assertion: WidgetAssertion): Promise<WidgetAnswer>;
  /**
   * Returns a PNG of the visible page with passwords covered. Returns undefined if the page crashed
   * in both tries, so that the widget is the cause.
   */
  picture(): Promise<Picture | undefined>;
  activity(): Promise<WidgetActivity>;
  accessibility(): Promise<readonly AccessibilityNote[]>;
  /**
   * The reason for a crash that the widget caused: its page also crashed in a second try, alone.
   * Absent for any other crash.
   */
  readonly broken?: string | undefined;
  close(): Promise<void>;
}

export interface Rendering {
  readonly status: RenderStatus;
  readonly elapsedMs?: number;
  readonly message?: string;
}

/**
 * The result of a step. `broken` means that the page crashed in this try and in a second one,
 * alone. The widget is then the cause.
 */
export type WidgetAnswer =
  | { readonly ok: true }
  | {
      readonly ok: false;
      readonly reason: string;
      readonly broken?: true;
      /**
       * Present if no widget could fulfil the step, for example because of an invalid selector. The
       * failure then says nothing about this widget.
       */
      readonly isMistake?: true;
    };

export interface Picture {
  readonly png: Uint8Array;
  readonly width: number;
  readonly height: number;
}

/**
 * Thrown if our browser could not start, ended, or took no picture. This says nothing about the
 * widget.
 */
export class BrowserLost extends Error {
  readonly status: 'browser_unavailable' | 'screenshot_failed';
  constructor(
    message: string,
    status: 'browser_unavailable' | 'screenshot_failed' = 'browser_unavailable',
  ) {
    super(message);
    this.status = status;
  }
}
