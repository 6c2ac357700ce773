/**
 * Renders widgets of MCP servers in our browser, each in a separate page. A widget may do anything
 * in there; the damage is reported about the widget. Only a failure of our browser is thrown, as
 * BrowserLost.
 */
import type {
  AccessibilityNote,
  BrowserFound,
  Json,
  RenderStatus,
  WidgetAction,
  WidgetAssertion,
  WidgetDocument,
  WidgetTrail,
} from '@proofmark/domain';

export interface WidgetRenderer {
  /**
   * Settles when the result of the rendering is known. `signal` ends the waiting and closes the
   * page.
   */
  open(widget: WidgetToShow, host: WidgetHost, signal: AbortSignal): Promise<OpenWidget>;
  /** Returns the facts of a start of the browser, or those of a recent one. */
  browser(): Promise<BrowserState>;
  close(): Promise<void>;
}

export type BrowserState =
  | { readonly found: BrowserFound }
  /** The reason why none can be started, as one sentence. */
  | { readonly missing: string };

export interface WidgetToShow extends WidgetDocument {
  /** The tool in the listing of its server. */
  readonly tool: Json;
  readonly input: Json;
  readonly result: Json;
  readonly hostContext: Json;
  /** Milliseconds for it to become ready, and for each step to find its target. */
  readonly withinMs: number;
}

/**
 * The host's functions for a widget. `callTool` and `readResource` throw a sentence that the widget
 * may read.
 */
export interface WidgetHost {
  callTool(name: string, input: Json): Promise<Json>;
  readResource(uri: string): Promise<Json>;
  /**
   * Called when our policy refused a request that the resource declares: a failure after that is
   * not the widget's.
   */
  requestRefused?(sentence: string): void;
}

export interface OpenWidget {
  readonly rendering: Rendering;
  /** Waits for its target. */
  act(action: WidgetAction): Promise<WidgetAnswer>;
  /** Waits until the assertion holds. `widgetToolCalled` is read from the trail. */
  ask(assertion: WidgetAssertion): Promise<WidgetAnswer>;
  /**
   * Returns a PNG of the visible page, passwords covered; undefined if the widget took its page
   * down, twice and alone.
   */
  picture(): Promise<Picture | undefined>;
  trail(): Promise<WidgetTrail>;
  accessibility(): Promise<readonly AccessibilityNote[]>;
  /** The reason if the widget ever took its page down, twice and alone. */
  readonly broken?: string | undefined;
  close(): Promise<void>;
}

export interface Rendering {
  readonly status: RenderStatus;
  readonly elapsedMs?: number;
  readonly message?: string;
}

/** `broken`: the widget took its page down, twice and alone, so it is the cause. */
export type WidgetAnswer =
  | { readonly ok: true }
  | {
      readonly ok: false;
      readonly reason: string;
      readonly broken?: true;
      /**
       * No widget could fulfil the step, for example with an invalid selector; it says nothing
       * about this one.
       */
      readonly isMistake?: true;
    };

export interface Picture {
  readonly png: Uint8Array;
  readonly width: number;
  readonly height: number;
}

/** Our browser could not start, ended, or took no screenshot; says nothing about the widget. */
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
