/**
 * The widgets of one trial. A tool's widget is rendered after each call that returned a result;
 * steps use the last one of the tool. At most four widgets are open.
 */
import { setMaxListeners } from 'node:events';
import {
  type AssertionEvidence,
  browserLost,
  type ConcernedWidgets,
  type Json,
  type RenderEvidence,
  type RenderObservation,
  readWidgetResource,
  trialSentence,
  widgetOfTool,
} from '@proofmark/domain';
import {
  BrowserLost,
  type WidgetAnswer,
  type WidgetRenderer,
} from '../outside/browser/widget-renderer.ts';
import { abortable } from './abortable.ts';
import { NotMeasured } from './not-measured.ts';
import { readWidgetPage } from './read-widget-page.ts';
import type { ServerCall } from './server-call.ts';
import { SetupLost } from './setup-lost.ts';
import { TrialPictures } from './trial-pictures.ts';
import type { TrialWidgets } from './trial-widgets.ts';
import type { TurnParts } from './turn-parts.ts';
import { WidgetCalls } from './widget-calls.ts';
import { WidgetInTrial } from './widget-in-trial.ts';

const mostOpen = 4;
const longestCloseMs = 5_000;

export class WidgetsOfTrial {
  /**
   * Results of widget actions and assertions in steps, without those that prove nothing about the
   * widget.
   */
  readonly checks: AssertionEvidence[] = [];
  readonly #renderer: WidgetRenderer;
  readonly #concerned: ConcernedWidgets;
  readonly #isNeeded: boolean;
  readonly #shown: WidgetInTrial[] = [];
  readonly #pictures = new TrialPictures();
  readonly #closing = new AbortController();
  /**
   * The last rendering that was started. Widgets are rendered one after another, even after
   * concurrent calls.
   */
  #last: Promise<unknown> = Promise.resolve();

  constructor(renderer: WidgetRenderer, concerned: ConcernedWidgets, isNeeded: boolean) {
    this.#renderer = renderer;
    this.#concerned = concerned;
    this.#isNeeded = isNeeded;
    // Every concurrent request of a widget listens to this signal. Above ten listeners, Node.js
    // would warn of a leak.
    setMaxListeners(0, this.#closing.signal);
  }

  async show(
    context: TurnParts,
    call: ServerCall,
    result: Json,
    withinMs = defaultWithinMs,
  ): Promise<void> {
    const { serverId, toolName, toolCallId, promptIndex } = call;
    const tool = context.offeredTools.listed(serverId, toolName) ?? {};
    const uri = widgetOfTool(tool);
    const { toolNames, ofEveryTool } = this.#concerned;
    if (!toolNames.has(toolName) && !(ofEveryTool && uri !== undefined)) return;
    const serverName = context.plan.servers.find(({ id }) => id === serverId)?.name ?? serverId;
    const place = { toolName, serverName, toolCallId, promptIndex };
    const shown = new WidgetInTrial(place, withinMs);
    this.#shown.push(shown);
    if (uri === undefined) return shown.endAs('no_ui_resource');
    // The author's time limits are meant for the server, not for Proofmark's browser. So rendering
    // counts as waiting.
    const wait = context.waits.begin();
    wait.onWaiting(true);
    const before = this.#last;
    const showing = before.then(() =>
      this.#open(context, { call, tool, result, shown, uri }, wait.onWaiting),
    );
    this.#last = showing.catch(() => undefined);
    try {
      await showing;
    } finally {
      context.waits.end(wait);
    }
  }

  /** Returns the tool's last widget, or the reason why no step can use it. */
  find({ log }: Pick<TurnParts, 'log'>, toolName: string): WidgetInTrial | string {
    const shown = this.#shown.findLast(({ place }) => place.toolName === toolName);
    if (shown?.page !== undefined) return shown;
    if (shown !== undefined) return shown.whyClosed(mostOpen);
    const name = JSON.stringify(toolName);
    const made = log.seenCalls().some((call) => call.toolName === toolName && !call.notMade);
    return made
      ? `No call of ${name} got a result, so there is no widget of it.`
      : `The tool ${name} was not called, so there is no widget of it.`;
  }

  async use(
    { signal }: Pick<TurnParts, 'signal'>,
    shown: WidgetInTrial,
    step: { readonly id: string; readonly parentId: string },
    work: () => Promise<WidgetAnswer>,
  ): Promise<WidgetAnswer> {
    shown.calls?.duringStep(step.parentId);
    return this.#inBrowser(shown, signal, async () => {
      const answer = await work();
      if (!answer.ok && answer.broken) shown.endAs('render_error', answer.reason);
      await this.#lookAt(shown, step.id);
      if (shown.page === undefined) await shown.close();
      if (!answer.ok) this.#throwIfNotItsOwn(shown);
      // The action itself succeeded, but it broke the widget.
      if (!answer.ok || shown.page !== undefined) return answer;
      return { ok: false, reason: shown.whyClosed(mostOpen), broken: true };
    });
  }

  /**
   * Records the state of all open widgets. If an error has ended the trial meanwhile, throws it.
   */
  async look(signal: AbortSignal, { isEnd = false } = {}): Promise<void> {
    for (const shown of this.#shown) {
      await this.#advising(shown, () =>
        this.#inBrowser(shown, signal, async () => {
          await shown.readActivity();
          if (isEnd) await shown.lookAtAccessibility();
        }),
      );
    }
  }

  /**
   * Returns why a policy rejected a call of this tool's widget or, without a name, of any widget.
   * If the widget then failed, that was not its own fault.
   */
  refusalOf(toolName: string | undefined): string | undefined {
    const concerned = this.#shown.filter(
      ({ place }) => toolName === undefined || place.toolName === toolName,
    );
    return concerned.find(({ calls }) => calls?.blocked !== undefined)?.calls?.blocked;
  }

  renderings(): readonly RenderObservation[] {
    return this.#shown.map(({ rendering }) => rendering);
  }

  evidence(): readonly RenderEvidence[] {
    return this.#shown.map(({ evidence }) => evidence);
  }

  record(redact: <Kept>(kept: Kept) => Kept = (kept) => kept): TrialWidgets {
    const observations = this.#shown.map((shown) => shown.observation(redact));
    return { observations, pictures: this.#pictures.all() };
  }

  /**
   * Closes the widgets at the end of every trial. Waits at most five seconds for a browser that
   * does not close.
   */
  async close(): Promise<void> {
    this.#closing.abort(new Error('The trial has ended.'));
    const closed = Promise.allSettled(this.#shown.map((shown) => shown.close()));
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, longestCloseMs);
    });
    await Promise.race([closed, late]);
    clearTimeout(timer);
  }

  async #open(
    context: TurnParts,
    { call, tool, result, shown, uri }: WidgetToOpen,
    onWaiting: (isWaiting: boolean) => void,
  ): Promise<void> {
    const { signal, plan } = context;
    await this.#advising(shown, async () => {
      // A provisional status. It stays if the step's time limit passes before the server has
      // returned the page.
      shown.endAs('resource_read_failed', 'The server did not answer in time.');
      const read = await readWidgetPage(context, call, uri, onWaiting);
      onWaiting(true);
      const page =
        'failure' in read ? { problem: read.failure } : readWidgetResource(uri, read.result);
      if ('problem' in page) return shown.endAs('resource_read_failed', page.problem);
      const readMs = 'failure' in read ? 0 : read.tookMs;
      shown.endAs('browser_unavailable', 'The trial ended before the widget was shown.');
      await this.#makeRoom(call, signal);
      const closing = this.#closing.signal;
      const calls = new WidgetCalls(
        context,
        { ...call, serverName: shown.place.serverName },
        call.parentId,
        closing,
      );
      shown.calls = calls;
      const { hostContext } = plan.client.config;
      const { withinMs } = shown;
      const { input } = call;
      await this.#inBrowser(shown, signal, async () => {
        const toShow = { ...page, tool, input, result, hostContext: hostContext as Json, withinMs };
        const open = await this.#renderer.open(toShow, calls, closing);
        if (closing.aborted) return open.close();
        shown.opened(open, readMs);
        const { status } = shown;
        if (status === 'browser_unavailable' || status === 'screenshot_failed') {
          throw new BrowserLost(open.rendering.message ?? 'The browser gave no reason.', status);
        }
        await this.#lookAt(shown);
        if (shown.page !== undefined) return;
        await shown.close();
        this.#throwIfNotItsOwn(shown);
      });
    });
  }

  async #lookAt(shown: WidgetInTrial, stepId?: string): Promise<void> {
    await shown.readActivity();
    await shown.takePicture(this.#pictures, stepId);
  }

  /**
   * Closes earlier widgets of the same tool, which steps no longer use, and others if too many are
   * open.
   */
  async #makeRoom({ toolName, serverId }: ServerCall, signal: AbortSignal): Promise<void> {
    const open = this.#shown.filter(({ isOpen }) => isOpen);
    const older = open.filter(
      ({ place, calls }) => place.toolName === toolName && calls?.serverId === serverId,
    );
    const others = open.filter((one) => !older.includes(one));
    const crowded = others.slice(0, Math.max(0, others.length - mostOpen + 1));
    for (const shown of [...older, ...crowded]) {
      await this.#inBrowser(shown, signal, async () => {
        await shown.readActivity();
        await shown.lookAtAccessibility();
        await shown.close({ isCrowdedOut: crowded.includes(shown) });
      });
    }
  }

  async #inBrowser<Result>(
    shown: WidgetInTrial,
    signal: AbortSignal,
    work: () => Promise<Result>,
  ): Promise<Result> {
    try {
      const result = await abortable(work(), signal);
      if (shown.calls?.lost !== undefined) throw shown.calls.lost.loss;
      return result;
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      if (!(error instanceof BrowserLost)) throw error;
      shown.endAs(error.status, error.message);
      throw new SetupLost(trialSentence(browserLost(shown.place.toolName, error.message)));
    }
  }

  /**
   * Runs work on a widget. If the case does not need widgets, a lost set-up is only recorded with
   * the widget and does not end the trial.
   */
  async #advising(shown: WidgetInTrial, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      const isLost = error instanceof SetupLost || error instanceof NotMeasured;
      if (this.#isNeeded || !isLost) throw error;
      if (shown.status === 'rendered') shown.endAs('browser_unavailable', error.message);
      await shown.close().catch(() => undefined);
    }
  }

  /**
   * Throws if the widget's failure may not be its own: a call was lost, or a policy rejected one.
   */
  #throwIfNotItsOwn({ calls }: WidgetInTrial): void {
    if (calls?.lost !== undefined) throw calls.lost.loss;
    if (calls?.blocked === undefined) return;
    const { blocked } = calls;
    throw new NotMeasured({ kind: 'blocked', reason: blocked });
  }
}

interface WidgetToOpen {
  readonly call: ServerCall;
  readonly tool: Json;
  readonly result: Json;
  readonly shown: WidgetInTrial;
  readonly uri: string;
}

const defaultWithinMs = 10_000;
