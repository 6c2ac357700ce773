/** Runs one trial of a plan to its end. It throws only when it was aborted or when we ourselves failed. */

import {
  type AskedAssertion,
  type Assertion,
  assertedServers,
  Deadline,
  modelsNamed,
  type PlannedCase,
  type PlannedTrial,
  type RunPlan,
  trialSentence,
} from '@proofmark/domain';
import { ModelFailure } from '../model/model-failure.ts';
import { allOf } from './all-of.ts';
import { evaluateSeen } from './evaluate-seen.ts';
import { type EndedTrial, finishTrial, type TrialEnd } from './finish-trial.ts';
import { heldForCredits, PlayedTime, serversInTime } from './held-clocks.ts';
import { listedForAssertions } from './listed-for-assertions.ts';
import { type OfferedTools, offeredToolsOf } from './offered-tools.ts';
import { askOutside, isOutside } from './outside-kinds.ts';
import { playSteps, type StepRecord, skipSteps, stopSteps } from './play-steps.ts';
import { type PreparedCase, preparedCase } from './prepared-case.ts';
import { isRefusedEvenAlone } from './retry-while-asked-to-wait.ts';
import type { OpenedServers } from './run-servers.ts';
import { ServerAnswers } from './server-answers.ts';
import { SetupLost } from './setup-lost.ts';
import { serverOf } from './tool-call-step.ts';
import type { TrialContext } from './trial-context.ts';
import type { OwnSessionDependencies, TrialDependencies } from './trial-dependencies.ts';
import { TrialLog } from './trial-log.ts';
import type { TrialRecord } from './trial-record.ts';

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
    throw new Error('The plan has no such trial.');
  const { trialTimeoutMs } = plan.limits;
  // A case that cannot be prepared must not hold slots for sessions.
  preparedCase(planned);
  const deadline = new Deadline(
    trialTimeoutMs,
    () => new Error('The time of the trial is over.'),
    signal,
  );
  const servers = await serversInTime(dependencies.servers, deadline, signal);
  const models = heldForCredits(dependencies.models, deadline);
  const running = new RunningTrial({ ...dependencies, models, servers }, plan, planned, deadline);
  try {
    return running.finish(await running.play(variant, deadline.signal));
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (error instanceof SetupLost) {
      running.stop(error.message);
      return running.finish({ kind: 'setupFailed', reason: error.message });
    }
    const heldBack = () => servers.heldBack() ?? running.waitedForProvider();
    const refused = isRefusedEvenAlone(error) ? trialSentence(error) : heldBack();
    if (refused !== undefined && (deadline.isOver || isRefusedEvenAlone(error))) {
      running.stop(refused);
      return running.finish({ kind: 'setupFailed', reason: refused });
    }
    if (!deadline.isOver) throw error;
    const seconds = trialTimeoutMs / 1000;
    const reason = `The trial took longer than ${seconds} seconds and was stopped.`;
    running.stop(reason);
    return running.finish({ kind: 'timedOut', reason });
  } finally {
    deadline.end();
    servers.close();
  }
}

class RunningTrial {
  readonly #steps: readonly StepRecord[];
  readonly #dependencies: OwnSessionDependencies;
  readonly #plan: RunPlan;
  readonly #planned: PlannedCase;
  readonly #prepared: PreparedCase;
  readonly #time: PlayedTime;
  readonly #log: TrialLog;
  readonly #asked: AskedAssertion[] = [];
  readonly #startedAtMs: number;
  #opened: OpenedServers | undefined;
  #offeredTools: OfferedTools | undefined;
  #openedMs = 0;

  constructor(
    dependencies: OwnSessionDependencies,
    plan: RunPlan,
    planned: PlannedCase,
    deadline: Deadline,
  ) {
    this.#dependencies = dependencies;
    this.#plan = plan;
    this.#planned = planned;
    this.#prepared = preparedCase(planned);
    this.#startedAtMs = dependencies.now();
    this.#time = new PlayedTime(() => dependencies.elapsedMs(), deadline);
    this.#log = new TrialLog(() => this.#time.nowMs());
    this.#steps = this.#prepared.projected.steps.map(({ step, promptIndex }) => ({
      stepId: step.id,
      kind: step.kind,
      promptIndex,
      status: 'pending',
    }));
  }

  async play(variant: PlannedCase['variants'][number], signal: AbortSignal): Promise<TrialEnd> {
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
    const opened = await this.#dependencies.servers.open(signal, { onServerRequest });
    this.#opened = opened;
    this.#log.listedTools = listedForAssertions(opened);
    this.#openedMs = this.#log.nowMs();
    const closed = opened.servers.filter(({ failure }) => failure !== undefined);
    if (closed.length > 0) {
      const told = closed.map(({ name, failure }) => `${JSON.stringify(name)}: ${failure}`);
      return this.#refuse(`Not every server could be opened. ${told.join(' ')}`);
    }
    const chosen = this.#choose(variant);
    if (chosen !== undefined && 'failure' in chosen) {
      skipSteps(this.#steps, chosen.failure);
      return { kind: 'providerFailed', reason: chosen.failure };
    }
    const context = this.#contextOf(chosen, opened, answers, signal);
    const outcome = await playSteps(context, this.#steps);
    if (outcome.kind === 'ok') await this.#askOfCase(context);
    return outcome.kind === 'ok' || outcome.kind === 'failed' ? { kind: 'played' } : outcome;
  }

  /** One sentence, where a call of the model was still to be sent. */
  waitedForProvider(): string | undefined {
    const { crowdedProvider } = this.#log;
    if (crowdedProvider === undefined) return undefined;
    return `The time of the trial went by while a call of ${crowdedProvider} waited for others to end.`;
  }

  /** Before the servers were open no step had begun. */
  stop(reason: string): void {
    if (this.#opened === undefined) skipSteps(this.#steps, reason);
    else stopSteps(this.#steps, reason);
  }

  finish(end: TrialEnd): TrialRecord {
    const ended: EndedTrial = {
      plan: this.#plan,
      planned: this.#planned,
      prepared: this.#prepared,
      log: this.#log,
      // Those of the whole case stand first, as they are stored.
      asked: [...this.#asked].sort((one, other) => levelOf(one) - levelOf(other)),
      steps: this.#steps,
      skillsOffered: this.#offeredTools?.skillsOffered === true,
      opened: this.#opened,
      openedMs: this.#openedMs,
      startedAtMs: this.#startedAtMs,
    };
    return finishTrial(ended, end);
  }

  /** What keeps the case from being run at all. */
  #problemOfCase(): string | undefined {
    if (this.#prepared.needsWidget) {
      return 'The case needs a widget to be rendered, and no widget renderer is installed here.';
    }
    for (const step of this.#planned.steps) {
      // Some providers refuse a message that says nothing, so none is asked with one.
      if (step.kind === 'prompt' && step.prompt.trim() === '') {
        return `The step ${JSON.stringify(step.id)} has an empty prompt, so no model was asked; write what it shall say.`;
      }
      if (step.kind !== 'toolCall') continue;
      if (serverOf(step, this.#plan.servers) !== undefined) continue;
      const server = JSON.stringify(step.serverId ?? step.serverName);
      return `The step ${JSON.stringify(step.id)} calls the server ${server}, which is not one of this run.`;
    }
    const { servers } = this.#plan;
    const unknown = assertedServers(this.#planned).find(
      (wanted) => !servers.some(({ name }) => name === wanted),
    );
    if (unknown === undefined) return undefined;
    return `An assertion names the server ${JSON.stringify(unknown)}, which is not one of this run.`;
  }

  #refuse(reason: string): TrialEnd {
    skipSteps(this.#steps, reason);
    return { kind: 'setupFailed', reason };
  }

  /** A model that was offered at the launch may be gone by now, which is its provider's matter. */
  #choose(
    variant: PlannedCase['variants'][number],
  ): TrialContext['chosen'] | { readonly failure: string } {
    if (!this.#prepared.authored.hasPrompt) return undefined;
    const [named] = modelsNamed([variant]);
    if (named === undefined) throw new Error('A case with a prompt names no model.');
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
    const offeredTools = offeredToolsOf(this.#plan, opened);
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
    };
  }

  /** A trial that was stopped is not asked: what it did not come to do proves nothing. */
  async #askOfCase(context: TrialContext): Promise<void> {
    const { planned, asked } = context;
    const evaluate = (assertion: Assertion) => ({
      assertion,
      ...evaluateSeen(assertion, context),
    });
    if (!this.#prepared.asksOutside) {
      for (const assertion of planned.assertions) asked.push(evaluate(assertion));
      return;
    }
    const answered = await allOf(
      planned.assertions.map(async (assertion) => {
        if (!isOutside(assertion)) return evaluate(assertion);
        return { assertion, result: await askOutside(assertion, context) };
      }),
    );
    asked.push(...answered);
  }
}

function levelOf({ promptIndex }: AskedAssertion): number {
  return promptIndex === undefined ? 0 : 1;
}
