/**
 * Slots for the running turns of a scenario. A turn that waits for its visitor's approval frees its
 * slot, and needs one again to continue.
 */
import { fullPlaces, type PlaceLimits, type TakenPlaces, visitBounds } from '@proofmark/domain';
import type { Fragment, Sql } from '../../../platform/database/database.ts';
import { interruptSilentTurns } from './visitor-turns.ts';

/**
 * Locks the slots of a scenario until the transaction ends, so that the number of free slots cannot
 * change after it was read.
 */
export async function holdPlaces(sql: Sql, scenarioId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`turns ${scenarioId}`}, 0))`;
}

/**
 * Counts the slots that are taken for a new turn. A waiting turn whose approval was decided or has
 * expired counts too, so that no new turn overtakes it.
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
 * Lets a waiting turn continue if a slot is free, and returns whether one was. Returns true also
 * for a turn that was stopped or deleted; its next heartbeat reports that.
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
