/**
 * Plays one session: a simulated user and the assistant under test take turns, until the user ends
 * the session or has sent the maximum number of messages. If a provider, the set-up, a policy, the
 * clock or credits end the session, the end names that cause and blames no server. It throws only
 * if aborted, or for an internal failure.
 */
import {
  type AttemptEndCause,
  type AttemptErrorCode,
  Deadline,
  type JourneySnapshot,
  type JourneyTarget,
  Refused,
  type SessionEnd,
} from '@proofmark/domain';
import { ModelFailure } from '../outside/model/model-failure.ts';
import { CallWaits } from './call-waits.ts';
import { ChangingTools } from './changing-tools.ts';
import { OwnCallIds } from './own-call-ids.ts';
import { serversInTime, withPausedClocks } from './paused-clocks.ts';
import { promptStep } from './prompt-step.ts';
import { isRefusedEvenAlone } from './retry-while-asked-to-wait.ts';
import type { OpenedServers, TrialServers } from './run-servers.ts';
import { ServerAnswers } from './server-answers.ts';
import { SessionLog } from './session-log.ts';
import type { SessionProgress, SessionRecord } from './session-record.ts';
import { SetupLost } from './setup-lost.ts';
import { askUser, type SimulatedUser } from './simulated-user.ts';
import type { StepOutcome } from './step-outcome.ts';
import type { TurnContext } from './trial-context.ts';
import type { OwnSessionDependencies, TrialDependencies } from './trial-dependencies.ts';
import type { TurnPlan } from './turn-parts.ts';
import { withStepSpan } from './with-step-span.ts';

export interface SessionToPlay {
  readonly snapshot: JourneySnapshot;
  readonly target: JourneyTarget;
  readonly plan: TurnPlan;
  readonly user: SimulatedUser;
  /** Called after each turn and awaited before the next turn. */
  onTurn(progress: SessionProgress): Promise<void>;
}

export async function playSession(
  dependencies: TrialDependencies,
  session: SessionToPlay,
  signal: AbortSignal,
): Promise<SessionRecord> {
  signal.throwIfAborted();
  const { sessionTimeoutMs } = session.snapshot.limits;
  const log = new SessionLog(() => dependencies.elapsedMs(), session.user);
  const deadline = new Deadline(
    sessionTimeoutMs,
    () => new Error('The session ran out of time.'),
    signal,
  );
  let playing: PlayedSession | undefined;
  const time = { remainingMs: () => (playing ?? deadline).remainingMs() };
  const servers = await serversInTime(dependencies.servers, deadline, signal, time);
  try {
    playing = new PlayedSession({ ...dependencies, servers }, session, log, deadline);
    return log.finish(await playing.play());
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    const isLate = deadline.isOver || error instanceof TurnTooLong;
    const end = isLate ? endByClock(servers, log) : endBy(error);
    if (end === undefined) throw error;
    return log.finish(end);
  } finally {
    deadline.end();
    servers.close();
  }
}

/**
 * The end of a session that ran out of time. If a server was still asking Proofmark to wait, the
 * cause is its refusal of calls, not slowness.
 */
function endByClock(servers: TrialServers, log: SessionLog): SessionEnd {
  return log.hasCutCall || servers.heldBack() === undefined
    ? notPlayed('session_timeout')
    : notPlayed('server_unreachable', 'askedToWait');
}

/** Returns undefined for an internal failure. */
function endBy(error: unknown): SessionEnd | undefined {
  if (error instanceof SetupLost) {
    if (error.needsOAuth) return notPlayed('oauth_required');
    return notPlayed('server_unreachable', error.asksToWait ? 'askedToWait' : 'callRefused');
  }
  if (isRefusedEvenAlone(error)) return notPlayed('server_unreachable', 'askedToWait');
  if (!(error instanceof Refused)) return undefined;
  const { limit, reason } = error.refusal.details ?? {};
  if (reason === 'MODEL_UNPRICED') return notPlayed('spend_cap_exceeded', 'modelUnpriced');
  return limit === 'credits' ? notPlayed('spend_cap_exceeded') : undefined;
}

class TurnTooLong extends Error {}

class PlayedSession {
  readonly #dependencies: OwnSessionDependencies;
  readonly #session: SessionToPlay;
  readonly #log: SessionLog;
  readonly #deadline: Deadline;
  /** The clock of the session and, during a turn, that of the turn. */
  #clocks: readonly Deadline[];

  constructor(
    dependencies: OwnSessionDependencies,
    session: SessionToPlay,
    log: SessionLog,
    deadline: Deadline,
  ) {
    this.#session = session;
    this.#log = log;
    this.#deadline = deadline;
    this.#clocks = [deadline];
    const models: OwnSessionDependencies['models'] = {
      generate: (...asked) =>
        withPausedClocks(dependencies.models, this.#clocks).generate(...asked),
    };
    this.#dependencies = { ...dependencies, models };
  }

  /**
   * In milliseconds. If a server asks Proofmark to wait longer than this, it cannot be measured.
   */
  remainingMs(): number {
    return Math.min(...this.#clocks.map((clock) => clock.remainingMs()));
  }

  async play(): Promise<SessionEnd> {
    const { target, plan } = this.#session;
    const { signal } = this.#deadline;
    const variant = { model: target.modelId };
    const answers = new ServerAnswers(this.#dependencies, undefined, variant, this.#log, signal);
    const { onServerRequest } = answers;
    const opened = await this.#dependencies.servers.open(signal, {
      onServerRequest,
      onServerEvent: this.#log.onServerEvent,
      asksForEvents: false,
    });
    this.#log.openedServers(opened);
    const unopened = problemOf(opened);
    if (unopened !== undefined) return notPlayed(unopened);
    const chosen = this.#choose(variant);
    if (chosen === undefined) return notPlayed('provider_failed');
    const offeredTools = new ChangingTools(plan, opened);
    this.#log.offered(offeredTools);
    return this.#converse({
      dependencies: this.#dependencies,
      plan,
      planned: {},
      chosen,
      opened,
      offeredTools,
      log: this.#log,
      answers,
      signal,
      time: this,
      waits: new CallWaits(),
      callIds: new OwnCallIds(),
    });
  }

  async #converse(context: TurnContext): Promise<SessionEnd> {
    const { snapshot } = this.#session;
    for (let turn = 0; turn < snapshot.maxTurns; turn += 1) {
      const words = await this.#askUser();
      if (words === undefined) return notPlayed('persona_driver_failed');
      if (words.endSession) return { kind: 'personaEnded' };
      const failed = endByOutcome(await this.#turn(context, turn, words.message));
      if (failed !== undefined) return failed;
      await this.#session.onTurn(this.#log.progress());
    }
    const last = await this.#askUser();
    // Without the user's last answer, nobody knows whether the user was satisfied.
    if (last === undefined) return notPlayed('persona_driver_failed');
    return { kind: last.endSession ? 'personaEnded' : 'turnCap' };
  }

  #askUser() {
    const { user, snapshot } = this.#session;
    return askUser(user, this.#log.conversation, snapshot.limits.userTimeoutMs, this.#deadline);
  }

  async #turn(context: TurnContext, promptIndex: number, prompt: string): Promise<StepOutcome> {
    const { turnTimeoutMs } = this.#session.snapshot.limits;
    const deadline = new Deadline(turnTimeoutMs, () => new TurnTooLong(), this.#deadline.signal);
    const { signal } = deadline;
    this.#clocks = [this.#deadline, deadline];
    const log = this.#log;
    log.openTurn(promptIndex);
    log.conversation.push({ by: 'user', text: prompt });
    try {
      const outcome = await withStepSpan(log, { name: 'prompt', promptIndex }, (parentId) =>
        promptStep({ ...context, signal }, { prompt }, { promptIndex, parentId }),
      );
      if (outcome.kind !== 'ok') return outcome;
      log.conversation.push({
        by: 'assistant',
        text: log.transcript().finalAssistantMessage ?? '',
      });
      return outcome;
    } finally {
      this.#clocks = [this.#deadline];
      deadline.end();
    }
  }

  /**
   * Returns undefined if the model is no longer offered. This counts as a failure of its provider.
   */
  #choose(variant: { readonly model: string }): TurnContext['chosen'] {
    try {
      return this.#dependencies.modelOf(variant);
    } catch (error) {
      if (error instanceof ModelFailure) return undefined;
      throw error;
    }
  }
}

function notPlayed(errorCode: AttemptErrorCode, cause?: AttemptEndCause): SessionEnd {
  return { kind: 'notPlayed', errorCode, ...(cause && { cause }) };
}

function problemOf({ servers }: OpenedServers): AttemptErrorCode | undefined {
  const closed = servers.filter(({ failure }) => failure !== undefined);
  if (closed.length === 0) return undefined;
  // If every server that could not be opened requires OAuth, granting access would help. If one of
  // them is unreachable, it would not be enough.
  return closed.every(({ needsOAuth }) => needsOAuth) ? 'oauth_required' : 'server_unreachable';
}

/** Returns undefined if the session continues. A failing tool never ends a session. */
function endByOutcome(outcome: StepOutcome): SessionEnd | undefined {
  switch (outcome.kind) {
    case 'ok':
      return undefined;
    case 'providerFailed':
      return notPlayed(outcome.isLimited ? 'rate_limited' : 'provider_failed');
    case 'blocked':
      return notPlayed('blocked_by_policy');
    // The server needs an ability that Proofmark lacks, which is not the server's fault.
    case 'setupFailed':
      return notPlayed('runner_failed', 'clientLacks');
    case 'failed':
    case 'graderFailed':
      throw new Error(
        'Internal fault: a turn of a session ended with an outcome that only a step of a case can have.',
      );
  }
}
