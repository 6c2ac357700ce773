/** What the service and the process that holds the browser say to each other. */
import type {
  AccessibilityNote,
  BrowserFound,
  ConsoleLine,
  Json,
  LaunchWay,
  RefusedRequest,
  TimeOfStep,
  WidgetAction,
  WidgetAssertion,
  WidgetTrail,
} from '@proofmark/domain';
import type { DownFacts } from './page-failure.ts';
import type { Picture, Rendering, WidgetAnswer, WidgetToShow } from './widget-renderer.ts';

export interface RoomSettings {
  readonly chromium: string;
  /** Longer than this no page that works leaves a short question unanswered. */
  readonly answerMs: number;
  /** What all processes of the browser may hold together. */
  readonly memoryBytes: number;
  readonly way: LaunchWay;
}

export type RoomOrder =
  | { readonly kind: 'open'; readonly widget: WidgetToShow; readonly policy: string }
  | { readonly kind: 'act'; readonly action: WidgetAction; readonly withinMs: number }
  | { readonly kind: 'ask'; readonly assertion: WidgetAssertion; readonly withinMs: number }
  | { readonly kind: 'picture' }
  | { readonly kind: 'accessibility' }
  | { readonly kind: 'close' };

/** What each order is answered with. */
export interface RoomAnswers {
  readonly open: Rendering;
  readonly act: WidgetAnswer;
  readonly ask: WidgetAnswer;
  readonly picture: Picture;
  readonly accessibility: readonly AccessibilityNote[];
  readonly close: true;
}

export type ToRoom =
  | {
      readonly type: 'order';
      readonly id: number;
      readonly page: number;
      readonly order: RoomOrder;
    }
  | { readonly type: 'reply'; readonly id: number; readonly reply: HostReply };

export type FromRoom =
  | ({ readonly type: 'started' } & Omit<BrowserFound, 'failedBefore'>)
  /** The browser went down, and the process ends. */
  | { readonly type: 'gone'; readonly sentence: string }
  | { readonly type: 'notStarted'; readonly sentence: string }
  | {
      readonly type: 'answer';
      readonly id: number;
      readonly value: unknown;
      readonly time: TimeOfStep;
    }
  /** The page, or the browser, went down or stopped answering. */
  | ({ readonly type: 'down'; readonly id: number; readonly sentence: string } & DownFacts)
  | {
      readonly type: 'request';
      readonly id: number;
      readonly page: number;
      readonly request: HostRequest;
    }
  | { readonly type: 'seen'; readonly page: number; readonly seen: SeenOfPage };

/** What a page asks of the service. */
export type HostRequest =
  | { readonly kind: 'callTool'; readonly name: string; readonly input: Json }
  | { readonly kind: 'readResource'; readonly uri: string }
  | { readonly kind: 'fetch'; readonly fetch: PageRequest };

export type HostReply = { readonly value: unknown } | { readonly refusal: string };

/** What one widget may ask of the network. */
export const mostOfNetwork = { requests: 200, bodyBytes: 1024 * 1024 };

export interface PageRequest {
  readonly url: string;
  /** As the browser calls it, such as `script`. */
  readonly resourceType: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
}

export interface PageResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/** What was seen since it was told last; calls are the service's own to record. */
export interface SeenOfPage {
  readonly consoleLines: readonly ConsoleLine[];
  readonly messages: readonly string[];
  readonly links: readonly string[];
  readonly refused: readonly RefusedRequest[];
  readonly size?: NonNullable<WidgetTrail['size']>;
  /** In all. */
  readonly dropped: Readonly<Record<string, number>>;
}
