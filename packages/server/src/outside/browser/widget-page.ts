/**
 * One widget in a separate page. Every call has a time limit. If the page crashes or does not
 * answer, a PageFailure is thrown. The caller then renders the widget again to find the cause.
 */
import {
  mostGivenAgainMs,
  type TimeOfStep,
  type WidgetAction,
  type WidgetAssertion,
} from '@proofmark/domain';
import type { Browser, BrowserContext, Frame, Page } from 'playwright-core';
import type { BrowserAnswers, HostRequest, SeenOfPage } from './browser-messages.ts';
import { openaiAdapter } from './openai-adapter.ts';
import { connectBridge, type PageBridge } from './page-bridge.ts';
import { answered, overNavigations, PageFailure } from './page-failure.ts';
import { isBlank, takePicture } from './page-picture.ts';
import { PageRecord } from './page-record.ts';
import { routeRequests } from './page-routes.ts';
import {
  firstView,
  hostUrl,
  type Measured,
  mostHeight,
  settleScript,
  shownScript,
  watchScript,
  widgetUrl,
} from './page-scripts.ts';
import { askPage, doStep } from './page-steps.ts';
import { StepClock } from './step-clock.ts';
import type { Picture, Rendering, WidgetAnswer, WidgetToShow } from './widget-renderer.ts';

export interface PageSurroundings {
  readonly answerMs: number;
  whyDown(): string | undefined;
  /**
   * Starts a measurement. The returned function returns how long the step took, and how much of
   * that the browser could not run.
   */
  time(): () => TimeOfStep;
}

export interface PageHost {
  ask(request: HostRequest): Promise<unknown>;
  report(seen: SeenOfPage): void;
}

const mostNodes = 200_000;
const mostCharacters = 10_000_000;
/** The page around the widget may take this many times `answerMs` to load. */
const loadsInAnswers = 2;

export class WidgetPage {
  readonly #widget: WidgetToShow;
  readonly #host: PageHost;
  readonly #answerMs: number;
  readonly #around: PageSurroundings;
  readonly #record: PageRecord;
  /** Rejects when the page is known to have crashed or closed, which ends every wait for it. */
  readonly #down: Promise<never>;
  #goDown: (sentence: string) => void = () => undefined;
  #context: BrowserContext | undefined;
  #page: Page | undefined;
  #frame: Frame | undefined;
  #bridge: PageBridge | undefined;
  /** The picture from the rendering. It is valid until the first action. */
  #firstPicture: Picture | undefined;
  #leftFor: string | undefined;
  #height = firstView.height;
  #resizing: Promise<void> | undefined;

  constructor(widget: WidgetToShow, host: PageHost, around: PageSurroundings) {
    this.#widget = widget;
    this.#host = host;
    this.#answerMs = around.answerMs;
    this.#around = around;
    this.#record = new PageRecord((seen) => host.report(seen));
    this.#down = new Promise((_, reject) => {
      this.#goDown = (sentence) =>
        reject(new PageFailure(around.whyDown() ?? sentence, { hasEnded: true }));
    });
    this.#down.catch(() => undefined);
  }

  browserGone(): void {
    this.#goDown('The browser stopped unexpectedly.');
  }

  async open(browser: Browser, policy: string): Promise<Rendering> {
    const frame = await this.#bounded(() =>
      this.#inTime(() => this.#load(browser, policy), loadsInAnswers * this.#answerMs),
    ).catch((error: PageFailure) => {
      const { hasEnded } = error;
      throw new PageFailure(error.message, { hasEnded, isOurs: !this.#record.hasBegun });
    });
    return this.#bounded(() => this.#watch(frame));
  }

  async act(action: WidgetAction, withinMs: number): Promise<WidgetAnswer> {
    return this.#bounded(async () => {
      const { page, frame } = this.#shown();
      this.#firstPicture = undefined;
      const waitMs = action.kind === 'wait' ? action.ms : 0;
      const answer = await this.#inTime(
        () => doStep(page, frame, action, this.#clock(withinMs)),
        withinMs + waitMs + this.#answerMs,
        mostGivenAgainMs(withinMs),
      );
      const problem = await this.#problem(frame);
      return problem === undefined ? answer : { ok: false, reason: problem, broken: true };
    });
  }

  async ask(assertion: WidgetAssertion, withinMs: number): Promise<WidgetAnswer> {
    return this.#bounded(async () => {
      const { frame } = this.#shown();
      return this.#inTime(
        () => askPage(frame, assertion, this.#clock(withinMs)),
        withinMs + this.#answerMs,
        mostGivenAgainMs(withinMs),
      );
    });
  }

  async picture(): Promise<Picture> {
    const first = this.#firstPicture;
    this.#firstPicture = undefined;
    if (first !== undefined) return first;
    return this.#bounded(() => {
      const { page, frame } = this.#shown();
      return answered(takePicture(page, frame, this.#answerMs), this.#answerMs);
    });
  }

  async accessibility(): Promise<BrowserAnswers['accessibility']> {
    return this.#bounded(async () => {
      const { notesOf } = await import('./page-accessibility.ts');
      return answered(notesOf(this.#shown().frame), this.#answerMs);
    });
  }

  /** Closes the page. Rejects if the browser does not close it in time. */
  async close(): Promise<void> {
    void this.#bridge?.close().catch(() => undefined);
    const context = this.#context;
    this.#goDown('The widget was closed.');
    if (context !== undefined) await answered(context.close(), this.#answerMs);
  }

  async #load(browser: Browser, policy: string): Promise<Frame> {
    const widget = this.#widget;
    const ask = this.#host.ask.bind(this.#host);
    const context = await browser.newContext({
      viewport: firstView,
      acceptDownloads: false,
      serviceWorkers: 'block',
      colorScheme: widget.hostContext['theme'] === 'dark' ? 'dark' : 'light',
    });
    this.#context = context;
    const adapter = widget.dialect === 'openai' ? openaiAdapter(widget) : '';
    const [page] = await Promise.all([
      context.newPage(),
      context.addInitScript({ content: `${watchScript}\n${adapter}` }),
      routeRequests(context, { html: widget.html, policy }, this.#record, ask),
    ]);
    this.#page = page;
    this.#listen(context, page);
    await page.goto(hostUrl, { waitUntil: 'domcontentloaded', timeout: 0 });
    const frame = page.mainFrame().childFrames()[0];
    if (frame === undefined)
      throw new PageFailure('The page around the widget could not be loaded.');
    this.#frame = frame;
    this.#bridge = await connectBridge(page.mainFrame(), widget, this.#record, ask, (height) =>
      this.#resize(page, height),
    );
    await this.#record.begun;
    return frame;
  }

  #listen(context: BrowserContext, page: Page): void {
    const record = this.#record;
    page.on('console', (message) => {
      const type = message.type();
      const level = type === 'error' || type === 'warning' ? type : 'info';
      record.line(type === 'assert' ? 'error' : level, message.text());
    });
    page.on('pageerror', (error) =>
      record.line('error', `Uncaught ${error.name}: ${error.message}`),
    );
    page.on('dialog', (dialog) => {
      record.refuse('dialog', dialog.message());
      void dialog.dismiss().catch(() => undefined);
    });
    page.on('download', (download) => {
      record.refuse('download', download.url());
      void download.cancel().catch(() => undefined);
    });
    page.on('crash', () => this.#goDown('The page of the widget crashed.'));
    page.on('close', () => this.#goDown('The page of the widget was closed.'));
    page.on('framenavigated', (frame) => {
      const url = frame.url();
      if (frame === this.#frame && url !== widgetUrl && url !== '' && url !== 'about:blank') {
        this.#leftFor = url;
      }
    });
    context.on('page', (popup) => {
      if (popup === page) return;
      record.refuse('popup', popup.url());
      void popup.close().catch(() => undefined);
    });
  }

  /** Waits until the widget is ready and shows something, at most until the deadline. */
  // biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one wait with all of its ends, which share its clock.
  async #watch(frame: Frame): Promise<Rendering> {
    const clock = this.#clock(Math.max(1, this.#widget.withinMs - this.#record.elapsedMs()));
    const leftMs = () => Math.max(1, clock.leftMs());
    if (this.#widget.dialect === 'mcpApps') {
      const ready = this.#bridge?.ready.then(() => true) ?? Promise.resolve(false);
      const late = clock.over().then(() => false);
      if (!(await Promise.race([ready, late]))) return this.#notReady(frame);
    }
    for (;;) {
      const isShown = await this.#inTime(
        () => overNavigations(() => frame.evaluate(shownScript)),
        leftMs() + this.#answerMs,
      );
      const elapsedMs = Math.max(0, this.#record.elapsedMs() - clock.lostMs());
      const isOver = leftMs() <= 1;
      if (isShown === true || isOver) {
        const problem = await this.#problem(frame);
        if (problem !== undefined) return { status: 'render_error', message: problem };
        const picture = await answered(
          takePicture(this.#shown().page, frame, this.#answerMs),
          this.#answerMs,
        );
        if (!isBlank(picture)) {
          this.#firstPicture = picture;
          return { status: 'rendered', elapsedMs };
        }
        if (isOver)
          return {
            status: 'blank_screenshot',
            message: this.#withFirstError('The widget shows nothing'),
          };
        await after(100, undefined);
      }
    }
  }

  /** Finds out why the widget did not become ready. Throws if its page does not answer. */
  async #notReady(frame: Frame): Promise<Rendering> {
    const measured = await this.#measure(frame);
    const problem = this.#problemOf(measured);
    if (problem !== undefined) return { status: 'render_error', message: problem };
    const within = `within ${this.#widget.withinMs} ms`;
    return measured.isLoading
      ? {
          status: 'mount_failed',
          message: this.#withFirstError(`The document of the widget was not loaded ${within}`),
        }
      : {
          status: 'bridge_timeout',
          message: this.#withFirstError(`The widget did not report that it was ready ${within}`),
        };
  }

  #withFirstError(sentence: string): string {
    const error = this.#record.firstError;
    return error === undefined
      ? `${sentence}.`
      : `${sentence}; its first error: ${error.slice(0, 300)}`;
  }

  async #measure(frame: Frame): Promise<Measured> {
    const measuring = () => overNavigations(() => frame.evaluate(settleScript));
    return (await this.#inTime(measuring, this.#answerMs)) as Measured;
  }

  async #problem(frame: Frame): Promise<string | undefined> {
    return this.#problemOf(await this.#measure(frame));
  }

  #problemOf({ nodes, characters }: Measured): string | undefined {
    if (this.#leftFor !== undefined) {
      return `The widget left its own document for ${this.#leftFor.slice(0, 200)}.`;
    }
    if (nodes > mostNodes) {
      return `The document of the widget has ${nodes} elements; the limit is ${mostNodes}.`;
    }
    if (characters <= mostCharacters) return undefined;
    return `The document of the widget has ${characters} characters; the limit is ${mostCharacters}.`;
  }

  /** Runs the work within a time limit, which is extended by the time that other processes took. */
  #inTime<Result>(work: () => Promise<Result>, timeoutMs: number, moreMs = 0): Promise<Result> {
    const timeOf = this.#around.time();
    const lostMs = () => timeOf().lostToOthersMs;
    return answered(work(), timeoutMs, { lostMs, mostLostMs: moreMs + this.#answerMs });
  }

  #clock(withinMs: number): StepClock {
    return new StepClock(withinMs, this.#around.time());
  }

  #shown(): { readonly page: Page; readonly frame: Frame } {
    if (this.#page === undefined || this.#frame === undefined)
      throw new PageFailure('Internal fault: no page of the widget is open.');
    return { page: this.#page, frame: this.#frame };
  }

  /**
   * Sets the page to the height that the widget reports. While a change is in progress, only the
   * last reported height counts.
   */
  #resize(page: Page, height: number): void {
    if (!(height >= 1)) return;
    this.#height = Math.min(Math.ceil(height), mostHeight);
    this.#resizing ??= this.#follow(page)
      .catch(() => undefined)
      .finally(() => {
        this.#resizing = undefined;
      });
  }

  async #follow(page: Page): Promise<void> {
    while (page.viewportSize()?.height !== this.#height) {
      await page.setViewportSize({ width: firstView.width, height: this.#height });
    }
  }

  /** Runs the work, and turns the library's error for a crashed page into a PageFailure. */
  async #bounded<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      const working = work();
      working.catch(() => undefined);
      return await Promise.race([working, this.#down]);
    } catch (error) {
      if (error instanceof PageFailure) throw error;
      // The library may report a closed page as an error of the work, before the page's close event
      // arrives.
      const sentence = this.#around.whyDown() ?? `The browser failed: ${firstLine(error)}`;
      throw new PageFailure(sentence, { hasEnded: true });
    } finally {
      this.#record.flush();
    }
  }
}

function after<Value>(ms: number, value: Value): Promise<Value> {
  return new Promise((resolve) => setTimeout(() => resolve(value), ms));
}

function firstLine(error: unknown): string {
  return (error as Error).message.split('\n')[0] ?? '';
}
