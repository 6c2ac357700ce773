/**
 * Plays one session: a simulated user and the assistant under test take turns, until the user ends it or has said as
 * much as it may. A turn of the assistant is the prompt step of a trial, with the same tool loop and the same bounds. What
 * a provider, a set-up, a policy, the clock or credits end is no evidence about the server, and says who it was. It throws
 * only when it was aborted or when we ourselves failed.
 */
import {
  type AttemptErrorCode,
  Deadline,
  type JourneySnapshot,
  type JourneyTarget,
  Refused,
  type SessionEnd,
} from '@proofmark/domain';
import { ModelFailure } from '../model/model-failure.ts';
import { inStepSpan } from './in-step-span.ts';
import { offeredToolsOf } from './offered-tools.ts';
import { promptStep } from './prompt-step.ts';
import { isRefusedEvenAlone } from './retry-while-asked-to-wait.ts';
import type { OpenedServers } from './run-servers.ts';
import { ServerAnswers } from './server-answers.ts';
import { SessionLog } from './session-log.ts';
import type { SessionProgress, SessionRecord } from './session-record.ts';
import { SetupLost } from './setup-lost.ts';
import { askUser, type SimulatedUser } from './simulated-user.ts';
import type { StepOutcome } from './step-outcome.ts';
import type { TurnContext, TurnPlan } from './trial-context.ts';
import type { OwnSessionDependencies, TrialDependencies } from './trial-dependencies.ts';

export interface SessionToPlay {
  readonly snapshot: JourneySnapshot;
  readonly target: JourneyTarget;
  readonly plan: TurnPlan;
  readonly user: SimulatedUser;
  /** Is told of every turn before the next begins. */
  onTurn(progress: SessionProgress): Promise<void>;
}

export async function playSession(
  dependencies: TrialDependencies,
  session: SessionToPlay,
  signal: AbortSignal,
): Promise<SessionRecord> {
  signal.throwIfAborted();
  const { sessionTimeoutMs } = session.snapshot.limits;
  const servers = await dependencies.servers.forTrial(signal, sessionTimeoutMs);
  const log = new SessionLog(() => dependencies.elapsedMs(), session.user);
  const deadline = new Deadline(
    sessionTimeoutMs,
    () => new Error('The time of the session is over.'),
    signal,
  );
  try {
    const playing = new PlayedSession({ ...dependencies, servers }, session, log, deadline.signal);
    return log.finish(await playing.play());
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    const errorCode = deadline.isOver ? 'session_timeout' : codeOf(error);
    if (errorCode === undefined) throw error;
    return log.finish({ kind: 'notPlayed', errorCode });
  } finally {
    deadline.end();
    servers.close();
  }
}

/** Whose doing it was that a session came to no end; nothing where it was ours. */
function codeOf(error: unknown): AttemptErrorCode | undefined {
  if (error instanceof TurnTooLong) return 'session_timeout';
  if (error instanceof SetupLost) {
    return error.needsOAuth ? 'oauth_required' : 'server_unreachable';
  }
  if (isRefusedEvenAlone(error)) return 'server_unreachable';
  return isOutOfCredits(error) ? 'spend_cap_exceeded' : undefined;
}

function isOutOfCredits(error: unknown): boolean {
  if (!(error instanceof Refused)) return false;
  const { limit, reason } = error.refusal.details ?? {};
  return limit === 'credits' || reason === 'MODEL_UNPRICED';
}

class TurnTooLong extends Error {}

class PlayedSession {
  readonly #dependencies: OwnSessionDependencies;
  readonly #session: SessionToPlay;
  readonly #log: SessionLog;
  readonly #signal: AbortSignal;

  constructor(
    dependencies: OwnSessionDependencies,
    session: SessionToPlay,
    log: SessionLog,
    signal: AbortSignal,
  ) {
    this.#dependencies = dependencies;
    this.#session = session;
    this.#log = log;
    this.#signal = signal;
  }

  async play(): Promise<SessionEnd> {
    const { target, plan } = this.#session;
    const variant = { model: target.modelId };
    const answers = new ServerAnswers(this.#dependencies, {}, variant, this.#log, this.#signal);
    const { onServerRequest } = answers;
    const opened = await this.#dependencies.servers.open(this.#signal, { onServerRequest });
    this.#log.openedServers(opened);
    const unopened = problemOf(opened);
    if (unopened !== undefined) return notPlayed(unopened);
    const chosen = this.#choose(variant);
    if (chosen === undefined) return notPlayed('provider_failed');
    const offeredTools = offeredToolsOf(plan, opened);
    this.#log.offered(offeredTools);
    return this.#converse({
      ...{ dependencies: this.#dependencies, plan, planned: {}, chosen, opened, offeredTools },
      ...{ log: this.#log, answers, signal: this.#signal },
    });
  }

  async #converse(context: TurnContext): Promise<SessionEnd> {
    const { snapshot } = this.#session;
    for (let turn = 0; turn < snapshot.maxTurns; turn += 1) {
      const words = await this.#askUser();
      if (words === undefined) return notPlayed('persona_driver_failed');
      if (words.endSession) return { kind: 'personaEnded' };
      const failed = codeOfOutcome(await this.#turn(context, turn, words.message));
      if (failed !== undefined) return notPlayed(failed);
      await this.#session.onTurn(this.#log.progress());
    }
    const last = await this.#askUser();
    return { kind: last?.endSession ? 'personaEnded' : 'turnCap' };
  }

  #askUser() {
    const { user, snapshot } = this.#session;
    return askUser(user, this.#log.said, snapshot.limits.userTimeoutMs, this.#signal);
  }

  async #turn(context: TurnContext, promptIndex: number, prompt: string): Promise<StepOutcome> {
    const { turnTimeoutMs } = this.#session.snapshot.limits;
    const deadline = new Deadline(turnTimeoutMs, () => new TurnTooLong(), this.#signal);
    const log = this.#log;
    log.openTurn(promptIndex);
    log.said.push({ by: 'user', text: prompt });
    try {
      const outcome = await inStepSpan(log, { name: 'prompt', promptIndex }, (parentId) =>
        promptStep({ ...context, signal: deadline.signal }, { prompt }, { promptIndex, parentId }),
      );
      if (outcome.kind !== 'ok') return outcome;
      log.said.push({ by: 'assistant', text: log.transcript().finalAssistantMessage ?? '' });
      return outcome;
    } finally {
      deadline.end();
    }
  }

  /** A model that was offered at the launch may be gone by now, which is its provider's matter. */
  #choose(variant: { readonly model: string }): TurnContext['chosen'] {
    try {
      return this.#dependencies.modelOf(variant);
    } catch (error) {
      if (error instanceof ModelFailure) return undefined;
      throw error;
    }
  }
}

function notPlayed(errorCode: AttemptErrorCode): SessionEnd {
  return { kind: 'notPlayed', errorCode };
}

function problemOf({ servers }: OpenedServers): AttemptErrorCode | undefined {
  const closed = servers.filter(({ failure }) => failure !== undefined);
  if (closed.length === 0) return undefined;
  // One that is away may be the reason that another could not be asked; a grant alone would not help.
  return closed.every(({ needsOAuth }) => needsOAuth) ? 'oauth_required' : 'server_unreachable';
}

/** A tool that fails ends no session, so only these are left. */
function codeOfOutcome(outcome: StepOutcome): AttemptErrorCode | undefined {
  switch (outcome.kind) {
    case 'ok':
      return undefined;
    case 'providerFailed':
      return outcome.isLimited ? 'rate_limited' : 'provider_failed';
    case 'blocked':
      return 'blocked_by_policy';
    case 'setupFailed':
      return 'server_unreachable';
    case 'failed':
    case 'graderFailed':
      throw new Error('A turn of a session ended as only a step of a case can.');
  }
}
