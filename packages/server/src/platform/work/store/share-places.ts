/**
 * A target, such as a server, has a limited number of places for concurrent calls. Processes lease
 * shares of these places, by the clock of the database.
 */
import type { Sharer } from '@proofmark/domain';
import type { Database, Sql } from '../../database/database.ts';

export interface ShareRequest {
  readonly target: string;
  /**
   * The places to hold from now on, unless other processes hold too many. Zero `places` with zero
   * `wanted` returns all places.
   */
  readonly places: number;
  readonly wanted: number;
  readonly bound: number;
}

export interface PlaceHolder extends Sharer {
  readonly holder: string;
}

/**
 * Requests shares. Returns, for each target, all processes that hold or want places, in the same
 * order for every process.
 */
export async function sharePlaces(
  sql: Sql,
  holder: string,
  requests: readonly ShareRequest[],
  leaseMs: number,
): Promise<ReadonlyMap<string, readonly PlaceHolder[]>> {
  const rows = await sql<(PlaceHolder & { readonly target: string })[]>`
    select target, holder, places, wanted, since_ms
    from share_places(${JSON.stringify(requests)}::text::json, ${holder}, ${leaseMs / 1000})`;
  const holders = new Map<string, PlaceHolder[]>(requests.map(({ target }) => [target, []]));
  for (const { target, ...row } of rows) holders.get(target)?.push(row);
  return holders;
}

export async function giveBackPlaces(sql: Sql, holder: string): Promise<void> {
  await sql`delete from limit_shares where holder = ${holder}`;
}

export async function deleteOldShares({ sql }: Pick<Database, 'sql'>): Promise<number> {
  const { count } =
    await sql`delete from limit_shares where leased_until < clock_timestamp() - interval '1 hour'`;
  return count;
}
