import type {
  AccessibilityNote,
  BrowserFound,
  ConsoleLine,
  Json,
  LaunchWay,
  RefusedRequest,
  TimeOfStep,
  WidgetAction,
  WidgetActivity,
  WidgetAssertion,
} from '@proofmark/domain';
import type { DownFacts } from './page-failure.ts';
import type { Picture, Rendering, WidgetAnswer, WidgetToShow } from './widget-renderer.ts';

export interface BrowserSettings {
  readonly chromium: string;
  /**
   * The milliseconds that a page has to answer a short request. A page that takes longer counts as
   * hung.
   */
  readonly answerMs: number;
  /** The memory limit for all processes of the browser together, in bytes. */
  readonly memoryBytes: number;
  readonly way: LaunchWay;
}

export type BrowserOrder =
  | { readonly kind: 'open'; readonly widget: WidgetToShow; readonly policy: string }
  | { readonly kind: 'act'; readonly action: WidgetAction; readonly withinMs: number }
  | { readonly kind: 'ask'; readonly assertion: WidgetAssertion; readonly withinMs: number }
  | { readonly kind: 'picture' }
  | { readonly kind: 'accessibility' }
  | { readonly kind: 'close' };

export interface BrowserAnswers {
  readonly open: Rendering;
  readonly act: WidgetAnswer;
  readonly ask: WidgetAnswer;
  readonly picture: Picture;
  readonly accessibility: readonly AccessibilityNote[];
  readonly close: true;
}

export type ToBrowserProcess =
  | {
      readonly type: 'order';
      readonly id: number;
      readonly page: number;
      readonly order: BrowserOrder;
    }
  | { readonly type: 'reply'; readonly id: number; readonly reply: HostReply };

export type FromBrowserProcess =
  | ({ readonly type: 'started' } & Omit<BrowserFound, 'failedBefore'>)
  /** The browser crashed or ended, and therefore its process ends too. */
  | { readonly type: 'gone'; readonly sentence: string }
  | { readonly type: 'notStarted'; readonly sentence: string }
  | {
      readonly type: 'answer';
      readonly id: number;
      readonly value: unknown;
      readonly time: TimeOfStep;
    }
  /** The page or the browser crashed or stopped answering. */
  | ({ readonly type: 'down'; readonly id: number; readonly sentence: string } & DownFacts)
  | {
      readonly type: 'request';
      readonly id: number;
      readonly page: number;
      readonly request: HostRequest;
    }
  | { readonly type: 'seen'; readonly page: number; readonly seen: SeenOfPage };

export type HostRequest =
  | { readonly kind: 'callTool'; readonly name: string; readonly input: Json }
  | { readonly kind: 'readResource'; readonly uri: string }
  | { readonly kind: 'fetch'; readonly fetch: PageRequest };

export type HostReply = { readonly value: unknown } | { readonly refusal: string };

/** The network limits of one widget: its requests, and the bytes of one request body. */
export const mostOfNetwork = { requests: 200, bodyBytes: 1024 * 1024 };

export interface PageRequest {
  readonly url: string;
  /** The type of the requested resource as the browser names it, for example `script`. */
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

/**
 * What the page recorded since the last message. Tool calls are missing, because the service itself
 * records them.
 */
export interface SeenOfPage {
  readonly consoleLines: readonly ConsoleLine[];
  readonly messages: readonly string[];
  readonly links: readonly string[];
  readonly refused: readonly RefusedRequest[];
  readonly size?: NonNullable<WidgetActivity['size']>;
  /** The number of dropped entries of each kind, over the whole life of the page. */
  readonly dropped: Readonly<Record<string, number>>;
}
