/**
 * Runs one trial of a plan to its end. Throws only if it is aborted, or for an internal failure.
 */

import {
  type AskedAssertion,
  answersUrls,
  asksServer,
  assertedServers,
  Deadline,
  modelsNamed,
  type PlannedCase,
  type PlannedTrial,
  type RunPlan,
  setupLists,
  trialSentence,
} from '@proofmark/domain';
import { ModelFailure } from '../outside/model/model-failure.ts';
import { CallWaits } from './call-waits.ts';
import { ChangingTools } from './changing-tools.ts';
import { evaluateCaseAssertions } from './evaluate-case-assertions.ts';
import { type EndedTrial, finishTrial, type TrialEnd } from './finish-trial.ts';
import { listedForAssertions } from './listed-for-assertions.ts';
import { OwnCallIds } from './own-call-ids.ts';
import {
  allClocks,
  type Clock,
  heldForCredits,
  PlayedTime,
  serversInTime,
  withPausedClocks,
  withTimeLeft,
} from './paused-clocks.ts';
import { playSteps, type StepRecord, skipSteps, stopSteps } from './play-steps.ts';
import { type PreparedCase, preparedCase } from './prepared-case.ts';
import { Diverged } from './recordings/diverged.ts';
import { isRefusedEvenAlone } from './retry-while-asked-to-wait.ts';
import type { OpenedServers, TrialServers } from './run-servers.ts';
import { ServerAnswers } from './server-answers.ts';
import { SetupLost } from './setup-lost.ts';
import { inSeconds, StatedLimits } from './stated-limits.ts';
import { throughOverlay, unfitOverlay } from './through-overlay.ts';
import { TimeOfCalls } from './time-of-calls.ts';
import { serverOf } from './tool-call-step.ts';
import type { TrialContext } from './trial-context.ts';
import type { OwnSessionDependencies, TrialDependencies } from './trial-dependencies.ts';
import { TrialLog } from './trial-log.ts';
import type { TrialRecord } from './trial-record.ts';
import { TrialSetup } from './trial-setup.ts';
import { refusalBehind, settleWidgets, widgetsOfTrial } from './widgets-of-case.ts';
import type { WidgetsOfTrial } from './widgets-of-trial.ts';

export async function runTrial(
  dependencies: TrialDependencies,
  plan: RunPlan,
  trial: PlannedTrial,
  signal: AbortSignal,
): Promise<TrialRecord> {
  signal.throwIfAborted();
  const planned = plan.cases[trial.caseIndex];
  const variant = planned?.variants[trial.variantIndex];
  if (planned === undefined || variant === undefined)
    throw new Error('Internal fault: the plan of the run does not contain this trial.');
  const { trialTimeoutMs } = plan.limits;
  // Throws for an invalid case first, because such a case must not occupy session slots.
  preparedCase(planned);
  const deadline = new Deadline(
    trialTimeoutMs,
    () => new Error('The trial ran out of time.'),
    signal,
  );
  const time = new TimeOfCalls(deadline);
  const servers = await serversInTime(dependencies.servers, deadline, signal, time);
  const limits = new StatedLimits();
  const clock = allClocks([deadline, limits]);
  const paid = withTimeLeft(heldForCredits(dependencies.models, clock), deadline);
  const models = withPausedClocks(paid, [limits]);
  const own = { ...dependencies, models, servers };
  const running = new RunningTrial(own, plan, planned, clock, limits, time);
  try {
    let end: TrialEnd;
    try {
      end = await running.play(variant, deadline, signal);
      const diverged = running.divergedBy;
      if (diverged !== undefined) end = running.stop('diverged', diverged);
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      end = endBy(error, running, servers, deadline, trialTimeoutMs);
    } finally {
      deadline.end();
      await running.closeWidgets();
      await running.cleanUp();
    }
    await whatIsThere();
    dependencies.onSeen?.(running.transcript);
    return running.finish(end);
  } finally {
    servers.close();
  }
}

/**
 * Waits one turn of the event loop. All messages that servers sent before their last response, even
 * on another stream, are then read.
 */
function whatIsThere(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function endBy(
  error: unknown,
  running: RunningTrial,
  servers: TrialServers,
  deadline: Deadline,
  trialTimeoutMs: number,
): TrialEnd {
  if (error instanceof SetupLost) return running.stop('setupFailed', error.message);
  const diverged = error instanceof Diverged ? error.message : running.divergedBy;
  if (diverged !== undefined) return running.stop('diverged', diverged);
  const late = running.caseIsLate();
  if (late !== undefined) return running.stop('timedOut', late);
  // If a call was still running on its server, the trial waited for that server and not for a slot
  // in Proofmark.
  const heldBack = () =>
    running.awaitsServer ? undefined : (servers.heldBack() ?? running.waitedForProvider());
  const refused = isRefusedEvenAlone(error) ? trialSentence(error) : heldBack();
  if (refused !== undefined && (deadline.isOver || isRefusedEvenAlone(error))) {
    return running.stop('setupFailed', refused);
  }
  if (!deadline.isOver) throw error;
  const seconds = trialTimeoutMs / 1000;
  return running.stop('timedOut', `The trial took longer than ${seconds} seconds and was stopped.`);
}

class RunningTrial {
  readonly #steps: readonly StepRecord[];
  readonly #dependencies: OwnSessionDependencies;
  readonly #plan: RunPlan;
  readonly #planned: PlannedCase;
  readonly #prepared: PreparedCase;
  readonly #time: PlayedTime;
  readonly #log: TrialLog;
  readonly #limits: StatedLimits;
  readonly #waits: CallWaits;
  readonly #asked: AskedAssertion[] = [];
  readonly #startedAtMs: number;
  #opened: OpenedServers | undefined;
  #offeredTools: ChangingTools | undefined;
  #openedMs = 0;
  #widgets: WidgetsOfTrial | undefined;
  readonly #around: TrialSetup;
  #caseLimit: Deadline | undefined;

  constructor(
    dependencies: OwnSessionDependencies,
    plan: RunPlan,
    planned: PlannedCase,
    clock: Clock,
    limits: StatedLimits,
    time: TimeOfCalls,
  ) {
    this.#around = new TrialSetup(plan, planned, time, dependencies.after);
    this.#limits = limits;
    this.#waits = new CallWaits(limits);
    this.#dependencies = dependencies;
    this.#plan = plan;
    this.#planned = planned;
    this.#prepared = preparedCase(planned);
    this.#startedAtMs = dependencies.now();
    this.#time = new PlayedTime(() => dependencies.elapsedMs(), clock);
    this.#log = new TrialLog(() => this.#time.nowMs(), undefined, dependencies.redact);
    this.#steps = this.#prepared.projected.steps.map(({ step, promptIndex }) => ({
      stepId: step.id,
      kind: step.kind,
      promptIndex,
      status: 'pending',
    }));
  }

  async play(
    variant: PlannedCase['variants'][number],
    deadline: Deadline,
    caller: AbortSignal,
  ): Promise<TrialEnd> {
    const { signal } = deadline;
    const unready = this.#problemOfCase();
    if (unready !== undefined) return this.#refuse(unready);
    const answers = new ServerAnswers(
      this.#dependencies,
      this.#planned,
      variant,
      this.#log,
      signal,
    );
    const { onServerRequest } = answers;
    const onServerEvent = this.#log.onServerEvent;
    const { servers } = this.#dependencies;
    const listed = await servers.open(signal, {
      onServerRequest,
      onServerEvent,
      answersUrls: answersUrls(this.#planned),
    });
    const opened = throughOverlay(this.#plan, listed);
    this.#opened = opened;
    this.#log.opened(listedForAssertions(opened));
    this.#log.excludeToolsOf(opened);
    this.#openedMs = this.#log.nowMs();
    const closed = opened.servers.filter(({ failure }) => failure !== undefined);
    if (closed.length > 0) {
      const failures = closed.map(({ name, failure }) => `${JSON.stringify(name)}: ${failure}`);
      return this.#refuse(`Not every server could be opened. ${failures.join(' ')}`);
    }
    const unfit = unfitOverlay(this.#plan, opened);
    if (unfit !== undefined) return this.#refuse(unfit);
    const chosen = this.#choose(variant);
    if (chosen !== undefined && 'failure' in chosen) {
      skipSteps(this.#steps, chosen.failure);
      return { kind: 'providerFailed', reason: chosen.failure };
    }
    const context = this.#contextOf(chosen, opened, answers, signal);
    const unprepared = await this.#prepare(context, deadline, caller);
    if (unprepared !== undefined) return this.#refuse(unprepared);
    const { timeoutMs } = this.#planned;
    if (timeoutMs === undefined) return this.#playCase(context);
    const limit = this.#limits.begin(timeoutMs, signal);
    this.#caseLimit = limit;
    try {
      return await this.#playCase({ ...context, signal: limit.signal });
    } finally {
      this.#limits.end(limit);
    }
  }

  async #playCase(context: TrialContext): Promise<TrialEnd> {
    const played = await playSteps(context, this.#steps);
    const outcome = await settleWidgets(context, played);
    if (outcome.kind === 'ok') {
      await evaluateCaseAssertions(context, this.#prepared.asksOutside);
      const refused = refusalBehind(context, context.asked);
      if (refused !== undefined) return { kind: 'blocked', reason: refused };
    }
    if (outcome.kind === 'failed') return { kind: 'played', failedStep: outcome.reason };
    return outcome.kind === 'ok' ? { kind: 'played' } : outcome;
  }

  get divergedBy(): string | undefined {
    return this.#dependencies.divergedBy?.();
  }

  get awaitsServer(): boolean {
    return this.#log.hasCutCall;
  }

  /** Returns a sentence if the time limit of the case has passed, otherwise undefined. */
  caseIsLate(): string | undefined {
    const { timeoutMs } = this.#planned;
    if (timeoutMs === undefined || this.#caseLimit?.isOver !== true) return undefined;
    return `The trial was stopped after ${inSeconds(timeoutMs)}, the time limit of its case.`;
  }

  /**
   * Returns a sentence if a model request was not sent, because other requests to its provider were
   * running.
   */
  waitedForProvider(): string | undefined {
    const { crowdedProvider } = this.#log;
    if (crowdedProvider === undefined) return undefined;
    return `The trial ran out of time while a call of ${crowdedProvider} waited for other calls to end.`;
  }

  /** If the servers were not open yet, no step had started, so all steps are marked as skipped. */
  stop(kind: 'setupFailed' | 'timedOut' | 'diverged', reason: string): TrialEnd {
    if (this.#opened === undefined) skipSteps(this.#steps, reason);
    else stopSteps(this.#steps, reason);
    return { kind, reason };
  }

  async closeWidgets(): Promise<void> {
    await this.#widgets?.close();
  }

  get transcript() {
    return this.#log.transcript();
  }

  cleanUp(): Promise<void> {
    return this.#around.cleanUp();
  }

  /**
   * Makes the calls before the steps, with the trial's clock paused. Returns a sentence if one of
   * them failed.
   */
  async #prepare(
    context: TrialContext,
    deadline: Deadline,
    signal: AbortSignal,
  ): Promise<string | undefined> {
    deadline.hold();
    try {
      const { servers } = context.dependencies;
      const dependencies = { ...context.dependencies, servers: servers.around ?? servers };
      return await this.#around.begin({ ...context, dependencies, signal });
    } finally {
      deadline.goOn();
    }
  }

  finish(end: TrialEnd): TrialRecord {
    const ended: EndedTrial = {
      plan: this.#plan,
      planned: this.#planned,
      prepared: this.#prepared,
      log: this.#log,
      // Assertions of the whole case come before assertions of single prompts. Within each group
      // the stored order is kept.
      asked: [...this.#asked].sort((one, other) => levelOf(one) - levelOf(other)),
      steps: this.#steps,
      skillsOffered: this.#offeredTools?.skillsOffered === true,
      opened: this.#opened,
      openedMs: this.#openedMs,
      startedAtMs: this.#startedAtMs,
      around: this.#around.records,
      aroundMs: this.#around.tookMs,
      warnings: this.#around.warnings,
      widgets: this.#widgets,
      redact: this.#dependencies.redact,
      hasMarks: this.#dependencies.hasMarks,
    };
    return finishTrial(ended, end);
  }

  /** Returns undefined if the case can be run. */
  #problemOfCase(): string | undefined {
    const { needsWidget: needed, widgets } = this.#prepared;
    const shown = widgets && widgetsOfTrial(this.#dependencies.widgets, widgets, needed);
    if (typeof shown === 'string') return shown;
    this.#widgets = shown;
    if (shown !== undefined) this.#log.renderings = () => shown.renderings();
    for (const step of this.#planned.steps) {
      // Some providers reject an empty message, so such a prompt is not sent.
      if (step.kind === 'prompt' && step.prompt.trim() === '') {
        return `The step ${JSON.stringify(step.id)} has an empty prompt, so no model was asked; write its text.`;
      }
    }
    const calls = this.#planned.steps.filter(asksServer);
    const around = (['before', 'after'] as const).flatMap((part) =>
      setupLists(part, this.#plan, this.#planned).flatMap((list) => list.calls),
    );
    for (const step of [...calls, ...around]) {
      if (serverOf(step, this.#plan.servers) !== undefined) continue;
      const server = JSON.stringify(step.serverId ?? step.serverName);
      return `The step ${JSON.stringify(step.id)} calls the server ${server}, which is not part of this run.`;
    }
    const { servers } = this.#plan;
    const unknown = assertedServers(this.#planned).find(
      (wanted) => !servers.some(({ name }) => name === wanted),
    );
    if (unknown === undefined) return undefined;
    return `A check names the server ${JSON.stringify(unknown)}, which is not part of this run.`;
  }

  #refuse(reason: string): TrialEnd {
    skipSteps(this.#steps, reason);
    return { kind: 'setupFailed', reason };
  }

  #choose(
    variant: PlannedCase['variants'][number],
  ): TrialContext['chosen'] | { readonly failure: string } {
    if (!this.#prepared.authored.hasPrompt) return undefined;
    const [named] = modelsNamed([variant]);
    if (named === undefined) throw new Error('The case has a prompt but names no model.');
    try {
      return this.#dependencies.modelOf(named);
    } catch (error) {
      if (error instanceof ModelFailure) return { failure: trialSentence(error) };
      throw error;
    }
  }

  #contextOf(
    chosen: TrialContext['chosen'],
    opened: OpenedServers,
    answers: ServerAnswers,
    signal: AbortSignal,
  ): TrialContext {
    const offeredTools = new ChangingTools(this.#plan, opened);
    this.#offeredTools = offeredTools;
    return {
      dependencies: this.#dependencies,
      plan: this.#plan,
      planned: this.#planned,
      projected: this.#prepared.projected,
      rows: this.#prepared.rows,
      chosen,
      opened,
      offeredTools,
      log: this.#log,
      answers,
      asked: this.#asked,
      signal,
      clock: this.#time,
      limits: this.#limits,
      waits: this.#waits,
      callIds: new OwnCallIds(),
      ...(this.#widgets && { widgets: this.#widgets }),
    };
  }
}

function levelOf({ promptIndex }: AskedAssertion): number {
  return promptIndex === undefined ? 0 : 1;
}
