/**
 * A rendered widget, and the decision who caused a page that goes down, is late, or fails a step
 * without its full time. A single failure proves nothing: our browser may have failed, or our
 * machine may be busy. So the widget is rendered again, alone in a fresh browser, with the same
 * steps and the same answers of its server. If it then succeeds, the browser was lost, and nothing
 * is reported about the widget. If it goes down again, the widget is the cause. If it is late or
 * silent again, the widget is the cause if it had its time, and if a widget that does nothing is in
 * time here.
 */
import {
  type AccessibilityNote,
  contentPolicy,
  hadItsTime,
  mostGivenAgainMs,
  secondsText,
  type TimeOfStep,
  type WidgetAction,
  type WidgetAssertion,
  type WidgetTrail,
} from '@proofmark/domain';
import type { RoomAnswers, RoomOrder } from './browser-messages.ts';
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

/** The parts that the widgets of one renderer share. */
export interface WidgetStage {
  readonly rooms: BrowserProcesses;
  readonly answerMs: number;
  /** Beside others. */
  together<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Runs the work while no other widget runs anything. */
  alone<Result>(work: () => Promise<Result>): Promise<Result>;
}

/** Results that a busy machine could cause as well. */
const notInTime = ['bridge_timeout', 'mount_failed', 'blank_screenshot'];

export class ShownWidget implements OpenWidget {
  readonly #stage: WidgetStage;
  readonly #widget: WidgetToShow;
  readonly #record: WidgetRecord;
  readonly #room: BrowserProcess;
  readonly #page: number;
  readonly #acts: WidgetAction[] = [];
  readonly #onClose: () => void;
  #end: { readonly broken: string } | { readonly lost: BrowserLost } | undefined;
  #closing: Promise<void> | undefined;
  #rendering: Rendering = { status: 'render_error' };
  /** The time of the page's last answer. */
  #answeredAt = performance.now();

  constructor(
    stage: WidgetStage,
    widget: WidgetToShow,
    record: WidgetRecord,
    room: BrowserProcess,
    onClose: () => void,
  ) {
    this.#stage = stage;
    this.#widget = widget;
    this.#record = record;
    this.#room = room;
    this.#onClose = onClose;
    this.#page = room.enter({
      serve: (request) => record.serve(request),
      see: (seen) => record.see(seen),
    });
  }

  get rendering(): Rendering {
    return this.#rendering;
  }

  /** Renders the widget. Must be called once, before everything else. */
  async show(): Promise<void> {
    const first = await this.#stage.together(() => this.#tried(this.#opening()));
    if (!(first instanceof PageFailure)) {
      this.#rendering = first.value;
      // A late page can still be examined; one that does not answer may keep the machine busy.
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

  async trail(): Promise<WidgetTrail> {
    // The browser process tells what it saw a moment later, many things at once.
    if (this.#end === undefined && this.#closing === undefined) await after(2 * pollMs);
    return this.#record.trail();
  }

  /** The reason if it took its page down, twice and alone. */
  get broken(): string | undefined {
    return this.#end !== undefined && 'broken' in this.#end ? this.#end.broken : undefined;
  }

  /**
   * Returns advisory notes; none if the page cannot answer. If its end was observed, the widget is
   * rendered again as usual.
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
    const isClean = await this.#room.leave(this.#page);
    this.#stage.rooms.left(this.#room, isClean);
  }

  async #answer(order: Extract<RoomOrder, { kind: 'act' | 'ask' }>): Promise<WidgetAnswer> {
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
   * Returns whether the answer needs no second try: the step succeeded, had its time, or can
   * succeed in no widget.
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

  /** A PageFailure where the page went down or gave no answer. */
  async #tried<Order extends RoomOrder>(
    order: Order,
  ): Promise<TimedAnswer<RoomAnswers[Order['kind']]> | PageFailure> {
    try {
      const answer = await this.#room.order(this.#page, order, this.#timeOf(order));
      this.#answeredAt = performance.now();
      return answer;
    } catch (error) {
      if (error instanceof PageFailure) return error;
      throw error;
    }
  }

  /**
   * Renders the widget again. A page that went down is closed; one that answered can still be
   * examined.
   */
  async #again<Order extends RoomOrder>(
    last: Order,
    first: TimedAnswer<unknown> | PageFailure,
  ): Promise<{ readonly down: string } | { readonly answer: RoomAnswers[Order['kind']] }> {
    if (this.#closing !== undefined) throw new BrowserLost('The widget was closed; open it again.');
    const isDown = first instanceof PageFailure;
    // The cause may have needed the time in which the page had no orders.
    const unasked = isDown
      ? performance.now() - this.#answeredAt - (first.time?.elapsedMs ?? 0)
      : 0;
    const unaskedMs = Math.round(Math.min(1.2 * unasked, mostUnaskedMs));
    if (isDown) await this.#leave();
    // biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one replay of a visit, which judges each step by the times of those before it.
    return this.#stage.alone(async () => {
      const room = await this.#stage.rooms.fresh();
      const guest: BrowserUser = { serve: this.#record.replay(), see: () => undefined };
      const page = room.enter(guest);
      const give = <One extends RoomOrder>(order: One) =>
        room.order(page, order, this.#timeOf(order));
      try {
        const { withinMs } = this.#widget;
        const wait = (ms: number) => give({ kind: 'act', action: { kind: 'wait', ms }, withinMs });
        if (last.kind !== 'open') await give(this.#opening());
        for (const action of this.#acts) await give({ kind: 'act', action, withinMs });
        if (last.kind !== 'open' && unaskedMs > afterwardsMs) await wait(unaskedMs);
        const { value: answer, time } = await give(last);
        // The failure may come a moment later this time.
        const later = await wait(afterwardsMs);
        const down = brokenBy(answer) ?? brokenBy(later.value);
        if (down !== undefined) return { down };
        if (isLate(answer)) {
          this.#requireOwnTime(time);
          await give({ kind: 'close' });
          await this.#requireTime(room);
        } else if (isFailed(answer)) this.#requireOwnTime(time);
        return { answer };
      } catch (error) {
        if (!(error instanceof PageFailure)) throw error;
        if (error.isOurs) throw this.#lose('browser_unavailable', error.message);
        if (!error.hasEnded && error.time !== undefined) this.#requireOwnTime(error.time);
        return { down: error.message };
      } finally {
        room.end();
      }
    });
  }

  /** Throws if the machine is too busy for a widget that only reports that it is ready. */
  async #requireTime(room: BrowserProcess): Promise<void> {
    const page = room.enter({ serve: async () => ({ refusal: '' }), see: () => undefined });
    const order = { ...this.#opening(), widget: { ...this.#widget, ...readyWidget } };
    const shown = await room.order(page, order, this.#timeOf(order)).catch(() => undefined);
    if (shown?.value.status === 'rendered') return;
    const sentence = `The machine was too busy to show any widget within ${secondsText(this.#widget.withinMs)}.`;
    throw this.#lose('browser_unavailable', sentence);
  }

  /**
   * Throws if other processes kept the browser from its work; alone, all other delay is the
   * widget's.
   */
  #requireOwnTime({ elapsedMs, lostToOthersMs }: TimeOfStep): void {
    const { withinMs } = this.#widget;
    if (hadItsTime({ elapsedMs, lostMs: lostToOthersMs }, withinMs)) return;
    throw this.#lose('browser_unavailable', tooBusy(withinMs));
  }

  #broke(sentence: string): string {
    const broken = `${sentence.replace(/\.$/, '')}, and again when it was shown alone in a fresh browser.`;
    this.#end = { broken };
    return broken;
  }

  #lose(
    status: BrowserLost['status'] = 'browser_unavailable',
    sentence = 'The browser failed while it showed the widget, which was clean when it was shown again alone.',
  ): BrowserLost {
    const lost = new BrowserLost(sentence, status);
    this.#end = { lost };
    return lost;
  }

  /** Longer than the browser process itself may take over it. */
  #timeOf(order: RoomOrder): number {
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
const say = (said) => parent.postMessage({ jsonrpc: '2.0', ...said }, '*');
addEventListener('message', ({ data }) => { if (data.id === 1) say({ method: 'ui/notifications/initialized', params: {} }); });
say({ id: 1, method: 'ui/initialize', params: { protocolVersion: '2026-01-26', appInfo: { name: 'ready', version: '1' }, appCapabilities: {} } });
</script>`,
} as const;

function isLate(answer: RoomAnswers[RoomOrder['kind']]): boolean {
  return typeof answer === 'object' && 'status' in answer && notInTime.includes(answer.status);
}

function isFailed(answer: RoomAnswers[RoomOrder['kind']]): boolean {
  return typeof answer === 'object' && 'ok' in answer && !answer.ok && !answer.isMistake;
}

function tooBusy(withinMs: number): string {
  return `The machine was too busy for the widget to have its ${secondsText(withinMs)}.`;
}

function brokenBy(answer: RoomAnswers[RoomOrder['kind']]): string | undefined {
  if (typeof answer !== 'object' || !('ok' in answer) || answer.ok) return undefined;
  return answer.broken ? answer.reason : undefined;
}

function after(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
