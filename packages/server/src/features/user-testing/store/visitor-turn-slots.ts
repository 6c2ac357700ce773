/**
 * Places of the turns of a scenario. A turn that waits for its visitor's approval has none, and
 * takes one to continue.
 */
import { fullPlaces, type PlaceLimits, type TakenPlaces, visitBounds } from '@proofmark/domain';
import type { Fragment, Sql } from '../../../platform/database/database.ts';
import { interruptSilentTurns } from './visitor-turns.ts';

/**
 * Serializes the taking of a scenario's places until the transaction ends, so that later reads stay
 * valid.
 */
export async function holdPlaces(sql: Sql, scenarioId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`turns ${scenarioId}`}, 0))`;
}

/**
 * Counts the places that are taken for a new turn. A turn whose approval was answered or has
 * expired counts before it continues, so that no new turn overtakes it.
 */
export async function countTakenPlaces(
  sql: Sql,
  scenarioId: string,
  grantId: string,
): Promise<TakenPlaces> {
  const [row] = await sql<[TakenPlaces]>`
    select ${placesOf(sql, grantId)}
    from visitor_turns as turn join visitor_sessions as session on session.id = turn.session_id
    where turn.scenario_id = ${scenarioId} and (turn.status = 'running'
      or turn.status = 'awaitingApproval' and not exists (
        select from visitor_approvals where turn_id = turn.id and decision is null
          and expires_at > clock_timestamp()))`;
  return row;
}

export interface TurnInScenario {
  readonly id: string;
  readonly scenarioId: string;
  readonly grantId: string;
  readonly isAnonymous: boolean;
  readonly limits: PlaceLimits;
}

/**
 * Continues a waiting turn if there is a place, and returns whether it may. Its beats show whether
 * it was stopped or deleted.
 */
export async function resumeInPlace(sql: Sql, turn: TurnInScenario): Promise<boolean> {
  const { id, scenarioId, grantId, isAnonymous, limits } = turn;
  await holdPlaces(sql, scenarioId);
  await interruptSilentTurns(sql, scenarioId, visitBounds.silentMs);
  const [taken] = await sql<[TakenPlaces]>`
    select ${placesOf(sql, grantId)}
    from visitor_turns as turn join visitor_sessions as session on session.id = turn.session_id
    where turn.scenario_id = ${scenarioId} and turn.status = 'running'`;
  if (fullPlaces(taken, limits, isAnonymous) !== undefined) return false;
  await sql`
    update visitor_turns set status = 'running' where id = ${id} and status = 'awaitingApproval'`;
  return true;
}

const placesOf = (sql: Sql, grantId: string): Fragment => sql`
  count(*)::integer as all, count(*) filter (where turn.is_anonymous)::integer as anonymous,
  count(*) filter (where session.grant_id = ${grantId})::integer as of_visitor`;
