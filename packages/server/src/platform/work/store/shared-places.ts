/** Shares of the places of a target, leased to processes. Time is the database's. */
import type { Sharer } from '@proofmark/domain';
import type { Database, Sql } from '../../database/database.ts';

export interface ShareRequest {
  readonly target: string;
  /** How many it holds from now on, unless others hold too many; none, and none wanted, gives all back. */
  readonly places: number;
  readonly wanted: number;
  /** Of all who share it together. */
  readonly bound: number;
}

export interface PlaceHolder extends Sharer {
  readonly holder: string;
}

/** Says for each target who holds places of it or waits for some, the asking one among them, in one order for everybody. */
export async function sharePlaces(
  sql: Sql,
  holder: string,
  wishes: readonly ShareRequest[],
  leaseMs: number,
): Promise<ReadonlyMap<string, readonly PlaceHolder[]>> {
  const rows = await sql<(PlaceHolder & { readonly target: string })[]>`
    select target, holder, places, wanted, since_ms
    from share_places(${JSON.stringify(wishes)}::text::json, ${holder}, ${leaseMs / 1000})`;
  const holders = new Map<string, PlaceHolder[]>(wishes.map(({ target }) => [target, []]));
  for (const { target, ...row } of rows) holders.get(target)?.push(row);
  return holders;
}

/** The process is leaving. */
export async function giveBackPlaces(sql: Sql, holder: string): Promise<void> {
  await sql`delete from limit_shares where holder = ${holder}`;
}

/** What dead processes held of targets that nobody has asked for since. */
export async function deleteOldShares({ sql }: Pick<Database, 'sql'>): Promise<number> {
  const { count } =
    await sql`delete from limit_shares where leased_until < clock_timestamp() - interval '1 hour'`;
  return count;
}
