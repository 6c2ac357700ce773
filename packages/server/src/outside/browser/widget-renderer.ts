/**
 * Shows widgets of MCP servers in a browser of ours, each in a page of its own. A widget may do as it likes in there:
 * what it breaks is told of it. Only a browser of ours that fails is thrown, as BrowserLost.
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
  /** Answers once it is known how showing it ended. `signal` ends the waiting and closes the page. */
  open(widget: WidgetToShow, host: WidgetHost, signal: AbortSignal): Promise<OpenWidget>;
  /** What is found by starting the browser, or was a short while ago. */
  browser(): Promise<BrowserState>;
  close(): Promise<void>;
}

export type BrowserState =
  | { readonly found: BrowserFound }
  /** One sentence that says why none can be started. */
  | { readonly missing: string };

export interface WidgetToShow extends WidgetDocument {
  /** As its server lists it. */
  readonly tool: Json;
  readonly input: Json;
  readonly result: Json;
  readonly hostContext: Json;
  /** How long it has to be ready, and how long each step waits for its target. */
  readonly withinMs: number;
}

/** What a widget may ask of its host. `callTool` and `readResource` throw a sentence that the widget may read. */
export interface WidgetHost {
  callTool(name: string, input: Json): Promise<Json>;
  readResource(uri: string): Promise<Json>;
  /** A request that its resource declares was refused by a policy of ours: what it then fails at is not its own doing. */
  requestRefused?(sentence: string): void;
}

export interface OpenWidget {
  readonly rendering: Rendering;
  /** Waits for its target. */
  act(action: WidgetAction): Promise<WidgetAnswer>;
  /** Waits until it holds. `widgetToolCalled` is told by the trail. */
  ask(assertion: WidgetAssertion): Promise<WidgetAnswer>;
  /** A PNG of what a user sees, passwords covered. None where the widget took its page down, twice and alone. */
  picture(): Promise<Picture | undefined>;
  trail(): Promise<WidgetTrail>;
  accessibility(): Promise<readonly AccessibilityNote[]>;
  /** Why it took its page down, twice and alone, where it did so at any time. */
  readonly broken?: string | undefined;
  close(): Promise<void>;
}

export interface Rendering {
  readonly status: RenderStatus;
  readonly elapsedMs?: number;
  readonly message?: string;
}

/** `broken`: the widget took its page down, twice and alone, so it is its own doing. */
export type WidgetAnswer =
  | { readonly ok: true }
  | {
      readonly ok: false;
      readonly reason: string;
      readonly broken?: true;
      /** The case asks for what no widget could have, such as a selector that is none: it says nothing of this one. */
      readonly isMistake?: true;
    };

export interface Picture {
  readonly png: Uint8Array;
  readonly width: number;
  readonly height: number;
}

/** A browser of ours that could not start, went away or took no picture; says nothing about the widget. */
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
