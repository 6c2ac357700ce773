/** What an organization used and spent on one day, as its operator reads it. */
import type { Sql } from '../database/database.ts';
import { today } from './today.ts';

export interface SpendingOfDay {
  readonly day: string;
  readonly counters: readonly {
    readonly name: string;
    readonly used: number;
    readonly reserved: number;
  }[];
  readonly ledger: readonly {
    readonly kind: string;
    readonly model: string;
    readonly steps: number;
    /** Without those of steps that did not tell. */
    readonly inputTokens: number;
    readonly outputTokens: number;
    readonly credits: number;
    /** Steps whose cost is not known. */
    readonly unpriced: number;
  }[];
}

/** Of today where no day is given, which is a UTC day. */
export async function readSpending(
  sql: Sql,
  organizationId: string,
  givenDay: string | undefined,
): Promise<SpendingOfDay> {
  const [row] = await sql<{ day: string }[]>`
    select to_char(coalesce(${givenDay ?? null}::date, ${today(sql)}), 'YYYY-MM-DD') as day`;
  const { day } = row as { day: string };
  const [counters, ledger] = await Promise.all([
    sql<SpendingOfDay['counters'][number][]>`
      select name, used::float8 as used, reserved::float8 as reserved from daily_counters
      where organization_id = ${organizationId} and day = ${day}::date order by name`,
    sql<SpendingOfDay['ledger'][number][]>`
      select kind, model, count(*)::integer as steps, coalesce(sum(input_tokens), 0)::float8 as input_tokens,
        coalesce(sum(output_tokens), 0)::float8 as output_tokens, sum(credits)::float8 as credits,
        (count(*) filter (where not priced))::integer as unpriced
      from ledger where organization_id = ${organizationId} and day = ${day}::date
      group by kind, model order by kind, model`,
  ]);
  return { day, counters: [...counters], ledger: [...ledger] };
}
