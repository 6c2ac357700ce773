/**
 * Plays one turn of a conversation with a person: opens the servers and plays a prompt step, with
 * the same tool loop and limits as in a trial. The turn's clock is paused while the person is asked
 * for approval. However the turn ends, the events so far are returned; only an internal failure is
 * thrown.
 */
import {
  type AttemptErrorCode,
  Deadline,
  type Json,
  Refused,
  type SessionEnd,
} from '@proofmark/domain';
import { ModelFailure } from '../outside/model/model-failure.ts';
import type { ModelMessage } from '../outside/model/model-gateway.ts';
import { CallWaits } from './call-waits.ts';
import { ChangingTools } from './changing-tools.ts';
import { withPausedClocks } from './paused-clocks.ts';
import { promptStep } from './prompt-step.ts';
import { isRefusedEvenAlone } from './retry-while-asked-to-wait.ts';
import type { OpenedServers } from './run-servers.ts';
import { ServerAnswers } from './server-answers.ts';
import { SessionLog } from './session-log.ts';
import type { SessionRecord } from './session-record.ts';
import { SetupLost } from './setup-lost.ts';
import type { StepOutcome } from './step-outcome.ts';
import type { TurnContext } from './trial-context.ts';
import type { OwnSessionDependencies, TrialDependencies } from './trial-dependencies.ts';
import type { TurnPlan } from './turn-parts.ts';
import type { TurnWatcher } from './turn-watcher.ts';
import { withStepSpan } from './with-step-span.ts';

export interface TurnToPlay {
  readonly plan: TurnPlan;
  readonly modelId: string;
  readonly text: string;
  earlier(nameOf: (toolName: string) => string): readonly ModelMessage[];
  isOptional(serverId: string): boolean;
  mayOffer(tool: Json): boolean;
  leftOut(server: { readonly name: string; readonly needsOAuth: boolean }): void;
  readonly watcher: TurnWatcher;
  readonly turnMs: number;
  /** Milliseconds for the whole turn, including the time that the person needs to answer. */
  readonly wholeTurnMs: number;
}

export interface PlayedTurn {
  readonly end: TurnEnd;
  readonly record: SessionRecord;
  /** A refusal by Proofmark, such as a used-up limit, that ended the turn between two steps. */
  readonly refused?: Refused;
}

export type TurnEnd =
  | { readonly kind: 'completed'; readonly note?: string }
  | { readonly kind: 'failed'; readonly cause: AttemptErrorCode }
  | { readonly kind: 'aborted' };

export async function playTurn(
  dependencies: TrialDependencies,
  turn: TurnToPlay,
  signal: AbortSignal,
): Promise<PlayedTurn> {
  const whole = new Deadline(turn.wholeTurnMs, () => new TurnTooLong(), signal);
  const deadline = new Deadline(turn.turnMs, () => new TurnTooLong(), whole.signal);
  const log = new SessionLog(() => dependencies.elapsedMs(), { intents: () => null });
  let servers: OwnSessionDependencies['servers'] | undefined;
  try {
    servers = await dependencies.servers.forTrial(deadline.signal, whole);
    const end = await play({ ...dependencies, servers }, turn, log, deadline);
    return { end, record: log.finish(sessionEndOf(end)) };
  } catch (error) {
    if (signal.aborted) return { end: { kind: 'aborted' }, record: log.finish(canceled) };
    const end = endBy(error);
    if (end !== undefined) return { end, record: log.finish(sessionEndOf(end)) };
    if (!(error instanceof Refused)) throw error;
    const capped = { kind: 'failed', cause: 'spend_cap_exceeded' } as const;
    return { end: capped, record: log.finish(sessionEndOf(capped)), refused: error };
  } finally {
    deadline.end();
    whole.end();
    servers?.close();
  }
}

async function play(
  dependencies: OwnSessionDependencies,
  turn: TurnToPlay,
  log: SessionLog,
  deadline: Deadline,
): Promise<TurnEnd> {
  const { plan, modelId, text } = turn;
  const { signal } = deadline;
  const variant = { model: modelId };
  const models = withPausedClocks(dependencies.models, [deadline]);
  const held = { ...dependencies, models };
  log.openTurn(0);
  log.conversation.push({ by: 'user', text });
  const answers = new ServerAnswers(held, undefined, variant, log, signal);
  const { onServerRequest } = answers;
  const opened = await dependencies.servers.open(signal, {
    onServerRequest,
    onServerEvent: log.onServerEvent,
    asksForEvents: false,
  });
  log.openedServers(opened);
  const closed = unopened(turn, opened);
  if (closed !== undefined) return { kind: 'failed', cause: closed };
  const chosen = choose(held, variant);
  if (chosen === undefined) return { kind: 'failed', cause: 'provider_failed' };
  const offeredTools = new ChangingTools(plan, within(turn, opened), (tool) => turn.mayOffer(tool));
  log.offered(offeredTools);
  log.addEarlier(turn.earlier(offeredTools.nameOf));
  const watcher = holding(deadline, turn.watcher);
  const context: TurnContext = {
    dependencies: held,
    plan,
    planned: {},
    chosen,
    opened,
    offeredTools,
    log,
    answers,
    signal,
    time: deadline,
    waits: new CallWaits(),
    watcher,
  };
  const outcome = await withStepSpan(log, { name: 'prompt', promptIndex: 0 }, (parentId) =>
    promptStep(context, { prompt: text }, { promptIndex: 0, parentId }),
  );
  const finalMessage = log.transcript().finalAssistantMessage;
  if (finalMessage !== undefined) log.conversation.push({ by: 'assistant', text: finalMessage });
  return endOf(outcome);
}

function holding(deadline: Deadline, watcher: TurnWatcher): TurnWatcher {
  return {
    ...(watcher.saying && { saying: (soFar: string) => watcher.saying?.(soFar) }),
    answered: (text) => watcher.answered(text),
    called: (call, output) => watcher.called(call, output),
    async mayCall(call, signal) {
      deadline.hold();
      try {
        return await watcher.mayCall(call, signal);
      } finally {
        deadline.goOn();
      }
    },
  };
}

/** Keeps only tools that may be offered. The given servers are not changed. */
function within({ mayOffer }: TurnToPlay, opened: OpenedServers): OpenedServers {
  const servers = opened.servers.map((server) => ({
    ...server,
    tools: server.tools.filter((tool) => mayOffer(tool)),
  }));
  // The remaining tools may be only a part of what the servers list, and a part must not be stored
  // as the whole. So `surface` is null.
  return { ...opened, servers, surface: null };
}

function unopened(turn: TurnToPlay, { servers }: OpenedServers): AttemptErrorCode | undefined {
  const closed = servers.filter(({ failure }) => failure !== undefined);
  const needed = closed.filter(({ id }) => !turn.isOptional(id));
  if (needed.length > 0) {
    // If every required server that failed requires OAuth, granting access would help. If one of
    // them is unreachable, it would not be enough.
    return needed.every(({ needsOAuth }) => needsOAuth) ? 'oauth_required' : 'server_unreachable';
  }
  for (const { name, needsOAuth = false } of closed) turn.leftOut({ name, needsOAuth });
  return undefined;
}

/**
 * Returns undefined if the model is no longer offered. This counts as a failure of its provider.
 */
function choose(
  dependencies: OwnSessionDependencies,
  variant: { readonly model: string },
): TurnContext['chosen'] {
  try {
    return dependencies.modelOf(variant);
  } catch (error) {
    if (error instanceof ModelFailure) return undefined;
    throw error;
  }
}

class TurnTooLong extends Error {}

/** Returns undefined for refusals and failures of Proofmark itself. */
function endBy(error: unknown): TurnEnd | undefined {
  if (error instanceof TurnTooLong) return { kind: 'failed', cause: 'session_timeout' };
  if (error instanceof SetupLost) {
    return { kind: 'failed', cause: error.needsOAuth ? 'oauth_required' : 'server_unreachable' };
  }
  return isRefusedEvenAlone(error) ? { kind: 'failed', cause: 'server_unreachable' } : undefined;
}

function endOf(outcome: StepOutcome): TurnEnd {
  switch (outcome.kind) {
    case 'ok':
      return { kind: 'completed', ...(outcome.note !== undefined && { note: outcome.note }) };
    case 'providerFailed':
      return { kind: 'failed', cause: outcome.isLimited ? 'rate_limited' : 'provider_failed' };
    case 'blocked':
      return { kind: 'failed', cause: 'blocked_by_policy' };
    case 'setupFailed':
      return { kind: 'failed', cause: 'runner_failed' };
    case 'failed':
    case 'graderFailed':
      throw new Error(
        'Internal fault: a turn ended with an outcome that only a step of a case can have.',
      );
  }
}

const canceled: SessionEnd = { kind: 'notPlayed', errorCode: 'canceled' };

/**
 * A completed turn counts as ended by the person, because the person decides about the next turn.
 */
function sessionEndOf(end: TurnEnd): SessionEnd {
  if (end.kind === 'completed') return { kind: 'personaEnded' };
  return end.kind === 'aborted' ? canceled : { kind: 'notPlayed', errorCode: end.cause };
}
