import {
  type AccessibilityNote,
  type RenderEvidence,
  type RenderObservation,
  type RenderStatus,
  trialSentence,
  unrendered,
  type WidgetActivity,
  type WidgetObservation,
  type WidgetPicture,
} from '@proofmark/domain';
import type { OpenWidget } from '../outside/browser/widget-renderer.ts';
import type { TrialPictures } from './trial-pictures.ts';
import type { WidgetCalls } from './widget-calls.ts';

export type PlaceOfWidget = Pick<
  WidgetObservation,
  'toolName' | 'serverName' | 'toolCallId' | 'promptIndex'
>;

export class WidgetInTrial {
  readonly place: PlaceOfWidget;
  readonly withinMs: number;
  calls: WidgetCalls | undefined;
  #open: OpenWidget | undefined;
  #status: RenderStatus = 'no_ui_resource';
  #elapsedMs: number | undefined;
  #message: string | undefined;
  /** The recorded actions of the widget; undefined if no page was ever opened. */
  #activity: WidgetActivity | undefined;
  #accessibility: readonly AccessibilityNote[] | undefined;
  readonly #pictures: WidgetPicture[] = [];
  #picturesDropped = 0;
  #wasCrowdedOut = false;

  constructor(place: PlaceOfWidget, withinMs: number) {
    this.place = place;
    this.withinMs = withinMs;
  }

  /** The page for actions of steps; undefined if the widget is not rendered or no longer open. */
  get page(): OpenWidget | undefined {
    return this.#status === 'rendered' ? this.#open : undefined;
  }

  get isOpen(): boolean {
    return this.#open !== undefined;
  }

  get status(): RenderStatus {
    return this.#status;
  }

  opened(open: OpenWidget, readMs: number): void {
    const { status, elapsedMs, message } = open.rendering;
    this.#open = open;
    this.#status = status;
    if (elapsedMs !== undefined) this.#elapsedMs = Math.round(readMs + elapsedMs);
    this.#message = message === undefined ? undefined : trialSentence(message);
  }

  endAs(status: RenderStatus, message?: string): void {
    this.#status = status;
    this.#message = message === undefined ? undefined : trialSentence(message);
  }

  async readActivity(): Promise<void> {
    if (this.#open !== undefined) this.#activity = await this.#open.activity();
  }

  async lookAtAccessibility(): Promise<void> {
    const { page } = this;
    if (page === undefined) return;
    this.#accessibility = await page.accessibility();
    // The widget may have broken since the last action.
    if (page.broken !== undefined) this.endAs('render_error', page.broken);
  }

  async takePicture(kept: TrialPictures, stepId?: string): Promise<void> {
    if (this.page === undefined) return;
    const taken = await this.page.picture();
    if (taken === undefined) return this.endAs('render_error', 'The page of the widget crashed.');
    const picture = kept.add(taken, stepId);
    if (picture === undefined) this.#picturesDropped += 1;
    else this.#pictures.push(picture);
  }

  async close({ isCrowdedOut = false } = {}): Promise<void> {
    const open = this.#open;
    this.#open = undefined;
    this.#wasCrowdedOut = isCrowdedOut;
    await open?.close();
  }

  whyClosed(most: number): string {
    const name = JSON.stringify(this.place.toolName);
    const whyNotShown = this.#unrendered();
    if (whyNotShown !== undefined) return whyNotShown;
    return this.#wasCrowdedOut
      ? `The widget of ${name} is not open any more: a trial has at most ${most} open at a time.`
      : `The widget of ${name} is not open any more.`;
  }

  /**
   * The rendering for assertions. If console lines were dropped and the kept ones contain no error,
   * the console counts as not recorded.
   */
  get rendering(): RenderObservation {
    const { consoleLines, dropped } = this.#activity ?? {};
    const errors = consoleLines?.flatMap(({ level, text }) => (level === 'error' ? [text] : []));
    const isWhole = errors !== undefined && (errors.length > 0 || !dropped?.['consoleLines']);
    return {
      toolName: this.place.toolName,
      status: this.#status,
      ...(this.#elapsedMs !== undefined && { elapsedMs: this.#elapsedMs }),
      ...(isWhole && { consoleErrors: errors }),
    };
  }

  get evidence(): RenderEvidence {
    const { promptIndex } = this.place;
    const reason = this.#unrendered();
    return { status: this.#status, promptIndex, ...(reason !== undefined && { reason }) };
  }

  observation(redact: <Kept>(kept: Kept) => Kept): WidgetObservation {
    const accessibility = this.#accessibility;
    return {
      ...this.place,
      status: this.#status,
      pictures: this.#pictures,
      ...(this.#elapsedMs !== undefined && { elapsedMs: this.#elapsedMs }),
      ...(this.#message !== undefined && { message: redact(this.#message) }),
      trail: redact(this.#wholeTrail()),
      ...(accessibility !== undefined && { accessibility: redact(accessibility) }),
    };
  }

  #unrendered(): string | undefined {
    const known = { status: this.#status, elapsedMs: this.#elapsedMs, message: this.#message };
    return unrendered({ ...this.place, ...known });
  }

  /**
   * The browser's trail contains no calls. This function adds the calls that the service recorded.
   */
  #wholeTrail(): WidgetActivity {
    const { dropped, ...activity } = this.#activity ?? nothingSeen;
    const counts = {
      ...dropped,
      calls: this.calls?.dropped ?? 0,
      pictures: this.#picturesDropped,
    };
    const nonZero = Object.entries(counts).filter(([, count]) => count > 0);
    return { ...activity, calls: this.calls?.made ?? [], dropped: Object.fromEntries(nonZero) };
  }
}

const nothingSeen: WidgetActivity = {
  consoleLines: [],
  calls: [],
  messages: [],
  links: [],
  refused: [],
  dropped: {},
};
