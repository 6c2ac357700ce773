/**
 * Accepts a visitor's message. All conditions are checked twice: before the rate limits count the
 * message, and again in the transaction that begins the turn. The turn then continues even if the
 * page is closed.
 */
import {
  chooseModel,
  freePrice,
  fullPlaces,
  guestBudget,
  tooManyTurns,
  visitBounds,
  visitConflicts,
  visitDayUsedUp,
  worstCase,
} from '@proofmark/domain';
import type { Sql } from '../../../platform/database/database.ts';
import { refuse } from '../../../platform/operations/action.ts';
import { modelsOf } from '../../models/index.ts';
import { readGuestCredits } from '../store/guest-credits.ts';
import { countTakenPlaces, holdPlaces } from '../store/visitor-turn-slots.ts';
import {
  findTurnByClientId,
  hasOpenTurn,
  insertTurn,
  interruptSilentTurns,
  type KnownTurn,
} from '../store/visitor-turns.ts';
import { brakeVisit } from './brake-visit.ts';
import {
  enterVisit,
  findOwnSession,
  inScenario,
  refuseEnded,
  requireConsent,
} from './enter-visit.ts';
import { closedForNow, playedEnvironment } from './played-environment.ts';
import type { TurnToRun } from './turn-runner.ts';
import type { VisitAction, VisitContext } from './visit-action.ts';

type Input = Parameters<VisitAction<'takeVisitorTurn'>>[1];

export const takeVisitorTurn: VisitAction<'takeVisitorTurn'> = async (context, input) => {
  const { scenarioId } = input.params;
  const looked = await inScenario(context, scenarioId, (sql) => prepare(sql, context, input));
  if ('lines' in looked) return answerAgain(context, looked);
  const { identity } = context;
  const who = identity.kind === 'account' ? identity.accountId : identity.visitorId;
  await brakeVisit(context, 'visitorTurnsPerMinute', who);
  await brakeVisit(context, 'scenarioTurnsPerMinute', scenarioId);
  const begun = await inScenario(context, scenarioId, async (sql) => {
    // Of two concurrent messages, the second waits for the lock and then sees the turn of the
    // first.
    await holdPlaces(sql, scenarioId);
    const prepared = await prepare(sql, context, input);
    if ('lines' in prepared) return prepared;
    await begin(sql, prepared, input.body.clientTurnId);
    return prepared;
  });
  if ('lines' in begun) return answerAgain(context, begun);
  await context.turns.run(begun, (line) => context.send(line));
  return undefined;
};

function answerAgain(context: VisitContext, { lines }: KnownTurn): undefined {
  for (const line of lines) context.send(line);
  return undefined;
}

/** Returns a new turn that may begin, or the earlier turn that already answered this message. */
async function prepare(
  sql: Sql,
  context: VisitContext,
  { params, body }: Input,
): Promise<TurnToRun | KnownTurn> {
  const { scenarioId } = params;
  const session = await findOwnSession(sql, context, params);
  const visit = await enterVisit(sql, context, scenarioId, body.accessVersion);
  const { scenario, as, grant } = visit;
  const played = await playedEnvironment(sql, scenario);
  requireConsent(context, grant);
  await interruptSilentTurns(sql, scenarioId, visitBounds.silentMs);
  const known = await findTurnByClientId(sql, session.id, body.clientTurnId);
  if (known?.status === 'completed') return known;
  refuseEnded(session, grant);
  if (await hasOpenTurn(sql, session.id)) refuse(visitConflicts.turnRunning);
  if (known === undefined && session.turnCount >= visitBounds.turnsOfSession) {
    refuse(visitConflicts.sessionFull);
  }
  const guest = as === 'anyone' ? await guestOf(sql, context, scenario, played) : undefined;
  return {
    id: context.newId('visitorTurn'),
    scenarioId,
    sessionId: session.id,
    played,
    grantId: grant.id,
    clientTurnId: body.clientTurnId,
    placeLimits: context.limits,
    organizationId: scenario.organizationId,
    projectId: scenario.projectId,
    identity: context.identity,
    text: body.text,
    ...(guest && { guest }),
  };
}

async function guestOf(
  sql: Sql,
  context: VisitContext,
  { guestExecution, organizationId }: Awaited<ReturnType<typeof enterVisit>>['scenario'],
  { client }: TurnToRun['played'],
): Promise<NonNullable<TurnToRun['guest']>> {
  const { models } = await modelsOf(sql, context, organizationId);
  const chosen = chooseModel({ model: client.modelId }, models.offer, []);
  // The refusal is general, because only the owner may know which models are available.
  if ('refusal' in chosen)
    return refuse(closedForNow({ details: { code: 'MODEL_NOT_AVAILABLE' } }));
  const isBuiltIn = chosen.hosted && chosen.provider === 'proofmark';
  const budget = guestBudget(guestExecution, isBuiltIn ? freePrice : models.priceOf(chosen));
  if ('refusal' in budget) return refuse(budget.refusal);
  return {
    budget,
    onlyReads: guestExecution?.toolPolicy === 'readOnly',
    sharedSkills: guestExecution?.sharedSkillsEnabled === true,
  };
}

async function begin(sql: Sql, turn: TurnToRun, clientTurnId: string): Promise<void> {
  const isAnonymous = turn.guest !== undefined;
  const taken = await countTakenPlaces(sql, turn.scenarioId, turn.grantId);
  const full = fullPlaces(taken, turn.placeLimits, isAnonymous);
  if (full !== undefined) throw tooManyTurns(full);
  await refuseUsedUp(sql, turn);
  const { environmentId, client } = turn.played;
  const { id, organizationId, projectId, scenarioId, sessionId, text } = turn;
  await insertTurn(sql, {
    id,
    organizationId,
    projectId,
    scenarioId,
    sessionId,
    text,
    environmentId,
    isAnonymous,
    clientTurnId,
    modelId: client.modelId,
  });
}

/**
 * Refuses a message if the remaining guest credits do not cover the maximum cost of the first step.
 * If the message was sent before, its earlier turn stays.
 */
async function refuseUsedUp(
  sql: Sql,
  { guest, organizationId, scenarioId, text }: TurnToRun,
): Promise<void> {
  if (guest?.budget.kind !== 'capped') return;
  const { price, dailyCreditCap } = guest.budget;
  const { used, now } = await readGuestCredits(sql, { organizationId, scenarioId });
  if (used + worstCase(price, Buffer.byteLength(text)) <= dailyCreditCap) return;
  throw visitDayUsedUp('dailyCreditCap', dailyCreditCap, used, now.getTime());
}
