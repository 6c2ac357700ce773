/**
 * Decides whether the widget caused a crash, a late answer or a failed step. After one such
 * failure, the widget is rendered a second time, alone in a new browser. A second crash is the
 * widget's fault. A second delay is its fault only if the machine renders an empty widget in time.
 */
import {
  type AccessibilityNote,
  contentPolicy,
  hadItsTime,
  mostGivenAgainMs,
  secondsText,
  type TimeOfStep,
  type WidgetAction,
  type WidgetActivity,
  type WidgetAssertion,
} from '@proofmark/domain';
import type { BrowserAnswers, BrowserOrder } from './browser-messages.ts';
import type { BrowserProcess, BrowserUser, TimedAnswer } from './browser-process.ts';
import type { BrowserProcesses } from './browser-processes.ts';
import { PageFailure } from './page-failure.ts';
import type { WidgetRecord } from './widget-record.ts';
import {
  BrowserLost,
  type OpenWidget,
  type Picture,
  type Rendering,
  type WidgetAnswer,
  type WidgetToShow,
} from './widget-renderer.ts';

export interface WidgetStage {
  readonly processes: BrowserProcesses;
  readonly answerMs: number;
  /** Runs the work concurrently with that of other widgets. */
  together<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Runs the work while no work of another widget runs. */
  alone<Result>(work: () => Promise<Result>): Promise<Result>;
}

/** Results that a busy machine could also cause, so that they need a second try. */
const notInTime = ['bridge_timeout', 'mount_failed', 'blank_screenshot'];

export class ShownWidget implements OpenWidget {
  readonly #stage: WidgetStage;
  readonly #widget: WidgetToShow;
  readonly #record: WidgetRecord;
  readonly #process: BrowserProcess;
  readonly #page: number;
  readonly #acts: WidgetAction[] = [];
  readonly #onClose: () => void;
  #end: { readonly broken: string } | { readonly lost: BrowserLost } | undefined;
  #closing: Promise<void> | undefined;
  #rendering: Rendering = { status: 'render_error' };
  /** The time of the page's last answer, by `performance.now()`. */
  #answeredAt = performance.now();

  constructor(
    stage: WidgetStage,
    widget: WidgetToShow,
    record: WidgetRecord,
    browser: BrowserProcess,
    onClose: () => void,
  ) {
    this.#stage = stage;
    this.#widget = widget;
    this.#record = record;
    this.#process = browser;
    this.#onClose = onClose;
    this.#page = browser.enter({
      serve: (request) => record.serve(request),
      see: (seen) => record.see(seen),
    });
  }

  get rendering(): Rendering {
    return this.#rendering;
  }

  /** Renders the widget. Must be called once, before any other method. */
  async show(): Promise<void> {
    const first = await this.#stage.together(() => this.#tried(this.#opening()));
    if (!(first instanceof PageFailure)) {
      this.#rendering = first.value;
      // A page that was only late stays open, because later steps can still be examined in it. A
      // page that does not answer is closed, because it may keep the machine busy.
      if (!notInTime.includes(first.value.status)) return;
    }
    const second = await this.#again(this.#opening(), first);
    if ('down' in second) {
      this.#rendering = { status: 'render_error', message: this.#broke(second.down) };
    } else if (second.answer.status === 'rendered') {
      throw this.#lose();
    } else {
      this.#rendering = second.answer;
      if (first instanceof PageFailure) this.#end = { broken: second.answer.message ?? '' };
    }
  }

  async act(action: WidgetAction): Promise<WidgetAnswer> {
    const { withinMs } = this.#widget;
    const answer = await this.#answer({ kind: 'act', action, withinMs });
    this.#acts.push(action);
    return answer;
  }

  ask(assertion: WidgetAssertion): Promise<WidgetAnswer> {
    const { withinMs } = this.#widget;
    if (assertion.kind === 'widgetToolCalled') return this.#called(assertion.calledToolName);
    return this.#answer({ kind: 'ask', assertion, withinMs });
  }

  async picture(): Promise<Picture | undefined> {
    const end = this.#end;
    if (end !== undefined) {
      if ('lost' in end) throw end.lost;
      return undefined;
    }
    const order = { kind: 'picture' } as const;
    const first = await this.#stage.together(() => this.#tried(order));
    if (!(first instanceof PageFailure)) return first.value;
    const second = await this.#again(order, first);
    if (!('down' in second)) throw this.#lose('screenshot_failed');
    this.#broke(second.down);
    return undefined;
  }

  async activity(): Promise<WidgetActivity> {
    // The browser process reports records with a short delay, many at once, so the last ones may
    // still be on their way.
    if (this.#end === undefined && this.#closing === undefined) await after(2 * pollMs);
    return this.#record.activity();
  }

  /**
   * The reason for a crash that the widget caused: its page also crashed in the second try, alone.
   */
  get broken(): string | undefined {
    return this.#end !== undefined && 'broken' in this.#end ? this.#end.broken : undefined;
  }

  /**
   * Returns advisory notes, or none if the page cannot answer. If the page crashed, the widget is
   * rendered again to find the cause, as after every crash.
   */
  async accessibility(): Promise<readonly AccessibilityNote[]> {
    if (this.#end !== undefined) return [];
    const first = await this.#stage.together(() => this.#tried({ kind: 'accessibility' }));
    if (!(first instanceof PageFailure)) return first.value;
    if (!first.hasEnded || this.#closing !== undefined) return [];
    const second = await this.#again({ kind: 'accessibility' }, first).catch((error: unknown) => {
      if (error instanceof BrowserLost) return undefined;
      throw error;
    });
    if (second !== undefined && 'down' in second) this.#broke(second.down);
    return [];
  }

  close(): Promise<void> {
    this.#closing ??= this.#leave().finally(this.#onClose);
    return this.#closing;
  }

  async #leave(): Promise<void> {
    const isClean = await this.#process.leave(this.#page);
    this.#stage.processes.left(this.#process, isClean);
  }

  async #answer(order: Extract<BrowserOrder, { kind: 'act' | 'ask' }>): Promise<WidgetAnswer> {
    const end = this.#end;
    if (end !== undefined) {
      if ('lost' in end) throw end.lost;
      return { ok: false, reason: end.broken, broken: true };
    }
    const first = await this.#stage.together(() => this.#tried(order));
    if (!(first instanceof PageFailure) && this.#isItsOwn(first)) return first.value;
    const second = await this.#again(order, first);
    if ('down' in second) return { ok: false, reason: this.#broke(second.down), broken: true };
    if (first instanceof PageFailure) throw this.#lose();
    if (second.answer.ok) throw this.#lose('browser_unavailable', tooBusy(this.#widget.withinMs));
    return second.answer;
  }

  /**
   * Returns whether the answer is final and needs no second try. It is final if the step succeeded,
   * had its full time, broke the page, or is a mistake in the case.
   */
  #isItsOwn({ value, time }: TimedAnswer<WidgetAnswer>): boolean {
    if (value.ok || value.isMistake || value.broken) return true;
    return hadItsTime(time, this.#widget.withinMs);
  }

  async #called(toolName: string): Promise<WidgetAnswer> {
    const until = performance.now() + this.#widget.withinMs;
    for (;;) {
      const calls = this.#record.calls.filter((call) => call.outcome !== 'refused');
      if (calls.some((call) => call.toolName === toolName)) return { ok: true };
      if (performance.now() >= until || this.#end !== undefined) {
        const names = [...new Set(calls.map((call) => call.toolName))].slice(0, 5);
        const seen = names.length === 0 ? 'it called no tool' : `it called ${names.join(', ')}`;
        return { ok: false, reason: `The widget did not call ${toolName}; ${seen}.` };
      }
      await after(pollMs);
    }
  }

  #opening() {
    const policy = contentPolicy(this.#widget.origins);
    return { kind: 'open', widget: this.#widget, policy } as const;
  }

  /** Sends an order. A crash or a missing answer is returned as a PageFailure, not thrown. */
  async #tried<Order extends BrowserOrder>(
    order: Order,
  ): Promise<TimedAnswer<BrowserAnswers[Order['kind']]> | PageFailure> {
    try {
      const answer = await this.#process.order(this.#page, order, this.#timeOf(order));
      this.#answeredAt = performance.now();
      return answer;
    } catch (error) {
      if (error instanceof PageFailure) return error;
      throw error;
    }
  }

  /**
   * Renders the widget again, alone, and repeats its steps. After a crash, the first page is
   * closed; a page that answered stays open.
   */
  async #again<Order extends BrowserOrder>(
    last: Order,
    first: TimedAnswer<unknown> | PageFailure,
  ): Promise<{ readonly down: string } | { readonly answer: BrowserAnswers[Order['kind']] }> {
    if (this.#closing !== undefined) throw new BrowserLost('The widget was closed; open it again.');
    const isDown = first instanceof PageFailure;
    // A script that ran between two orders may have caused the crash. The second try therefore
    // pauses for about as long as the first page was idle.
    const unasked = isDown
      ? performance.now() - this.#answeredAt - (first.time?.elapsedMs ?? 0)
      : 0;
    const unaskedMs = Math.round(Math.min(1.2 * unasked, mostUnaskedMs));
    if (isDown) await this.#leave();
    // biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one replay of a visit, which judges each step by the times of those before it.
    return this.#stage.alone(async () => {
      const browser = await this.#stage.processes.fresh();
      const guest: BrowserUser = { serve: this.#record.replay(), see: () => undefined };
      const page = browser.enter(guest);
      const give = <One extends BrowserOrder>(order: One) =>
        browser.order(page, order, this.#timeOf(order));
      try {
        const { withinMs } = this.#widget;
        const wait = (ms: number) => give({ kind: 'act', action: { kind: 'wait', ms }, withinMs });
        if (last.kind !== 'open') await give(this.#opening());
        for (const action of this.#acts) await give({ kind: 'act', action, withinMs });
        if (last.kind !== 'open' && unaskedMs > afterwardsMs) await wait(unaskedMs);
        const { value: answer, time } = await give(last);
        // In the second try, the crash may come a little later, so this waits before deciding.
        const later = await wait(afterwardsMs);
        const down = brokenBy(answer) ?? brokenBy(later.value);
        if (down !== undefined) return { down };
        if (isLate(answer)) {
          this.#requireOwnTime(time);
          await give({ kind: 'close' });
          await this.#requireTime(browser);
        } else if (isFailed(answer)) this.#requireOwnTime(time);
        return { answer };
      } catch (error) {
        if (!(error instanceof PageFailure)) throw error;
        if (error.isOurs) throw this.#lose('browser_unavailable', error.message);
        if (!error.hasEnded && error.time !== undefined) this.#requireOwnTime(error.time);
        return { down: error.message };
      } finally {
        browser.end();
      }
    });
  }

  /**
   * Opens a minimal widget that only reports that it is ready. If even this widget is late, the
   * machine is too busy, and BrowserLost is thrown.
   */
  async #requireTime(browser: BrowserProcess): Promise<void> {
    const page = browser.enter({ serve: async () => ({ refusal: '' }), see: () => undefined });
    const order = { ...this.#opening(), widget: { ...this.#widget, ...readyWidget } };
    const shown = await browser.order(page, order, this.#timeOf(order)).catch(() => undefined);
    if (shown?.value.status === 'rendered') return;
    const sentence = `The machine was too busy to show any widget within ${secondsText(this.#widget.withinMs)}.`;
    throw this.#lose('browser_unavailable', sentence);
  }

  /**
   * Throws BrowserLost if other programs on the machine took too much processor time. A widget that
   * runs alone caused every other delay itself.
   */
  #requireOwnTime({ elapsedMs, lostToOthersMs }: TimeOfStep): void {
    const { withinMs } = this.#widget;
    if (hadItsTime({ elapsedMs, lostMs: lostToOthersMs }, withinMs)) return;
    throw this.#lose('browser_unavailable', tooBusy(withinMs));
  }

  #broke(sentence: string): string {
    const broken = `${sentence.replace(/\.$/, '')}, and failed again when it was shown alone in a new browser.`;
    this.#end = { broken };
    return broken;
  }

  #lose(
    status: BrowserLost['status'] = 'browser_unavailable',
    sentence = 'The browser failed while it showed the widget, but the widget worked when it was shown again alone.',
  ): BrowserLost {
    const lost = new BrowserLost(sentence, status);
    this.#end = { lost };
    return lost;
  }

  /**
   * Returns the service's time limit for an order, in milliseconds. It exceeds the browser
   * process's own limits, so that those apply first.
   */
  #timeOf(order: BrowserOrder): number {
    const { withinMs } = this.#widget;
    const own = order.kind === 'act' && order.action.kind === 'wait' ? order.action.ms : 0;
    const givenMs = withinMs + mostGivenAgainMs(withinMs);
    const bounded = ['open', 'act', 'ask'].includes(order.kind) ? givenMs + own : 0;
    return bounded + 6 * this.#stage.answerMs;
  }
}

const pollMs = 50;
const afterwardsMs = 500;
const mostUnaskedMs = 20_000;

const readyWidget = {
  dialect: 'mcpApps',
  html: `<!doctype html><p>Ready</p><script>
const post = (message) => parent.postMessage({ jsonrpc: '2.0', ...message }, '*');
addEventListener('message', ({ data }) => { if (data.id === 1) post({ method: 'ui/notifications/initialized', params: {} }); });
post({ id: 1, method: 'ui/initialize', params: { protocolVersion: '2026-01-26', appInfo: { name: 'ready', version: '1' }, appCapabilities: {} } });
</script>`,
} as const;

function isLate(answer: BrowserAnswers[BrowserOrder['kind']]): boolean {
  return typeof answer === 'object' && 'status' in answer && notInTime.includes(answer.status);
}

function isFailed(answer: BrowserAnswers[BrowserOrder['kind']]): boolean {
  return typeof answer === 'object' && 'ok' in answer && !answer.ok && !answer.isMistake;
}

function tooBusy(withinMs: number): string {
  return `The machine was too busy to give the widget its ${secondsText(withinMs)}.`;
}

function brokenBy(answer: BrowserAnswers[BrowserOrder['kind']]): string | undefined {
  if (typeof answer !== 'object' || !('ok' in answer) || answer.ok) return undefined;
  return answer.broken ? answer.reason : undefined;
}

function after(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
