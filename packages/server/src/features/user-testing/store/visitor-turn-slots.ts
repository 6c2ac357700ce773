/** Places of the turns of a scenario. A turn that waits for its visitor's approval has none, and takes one to go on. */
import { fullPlaces, type PlaceLimits, type TakenPlaces, visitBounds } from '@proofmark/domain';
import type { Fragment, Sql } from '../../../platform/database/database.ts';
import { interruptSilentTurns } from './visitor-turns.ts';

/** Places of a scenario are taken one after the other, until the transaction ends. What is read from then on holds. */
export async function holdPlaces(sql: Sql, scenarioId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`turns ${scenarioId}`}, 0))`;
}

/**
 * Taken in the eyes of a turn that begins. One whose approval was answered, or is over, counts although it has not gone on
 * yet: nobody new overtakes it.
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
 * Lets a turn that waited go on where there is a place for it, and returns whether it may. That it was stopped or is gone is
 * found out by its own beats.
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
