/**
 * The ledger: one row for every step that used a model, written in the transaction that stores the
 * step's result. A step is charged once, however often it is reported. Its cost is also added to
 * the credits of the day and, if the run's credits are limited, to those of the run. Lock order:
 * the run before the day.
 */
import type { LedgerEntry } from '@proofmark/domain';
import { columnsOfRows } from '../../database/columns-of-rows.ts';
import type { Sql } from '../../database/database.ts';
import { runOfRefs } from './run-credits.ts';
import { today } from './utc-day.ts';

export interface PlaceOfSpending {
  readonly organizationId: string;
  /** The project that requested the step; null if no project requested it. */
  readonly projectId: string | null;
}

const columns = columnsOfRows<LedgerEntry>([
  { name: 'kind', type: 'text', of: (entry) => entry.kind },
  { name: 'model', type: 'text', of: (entry) => entry.model },
  { name: 'input_tokens', type: 'number', of: (entry) => entry.inputTokens ?? undefined },
  { name: 'output_tokens', type: 'number', of: (entry) => entry.outputTokens ?? undefined },
  { name: 'credits', type: 'number', of: (entry) => entry.credits },
  { name: 'priced', type: 'boolean', of: (entry) => entry.priced },
  { name: 'ref', type: 'text', of: (entry) => entry.ref },
  { name: 'step', type: 'text', of: (entry) => entry.step },
]);

export async function writeLedger(
  sql: Sql,
  { organizationId, projectId }: PlaceOfSpending,
  entries: readonly LedgerEntry[],
): Promise<void> {
  if (entries.length === 0) return;
  const { names } = columns;
  const insert = sql`
    insert into ledger (organization_id, project_id, day, ${names})
    select ${organizationId}, ${projectId}, ${today(sql)}, ${names} from ${columns.of(entries)} entries
    on conflict do nothing`;
  if (entries.every(({ credits }) => credits === 0)) {
    await insert;
    return;
  }
  await sql`
    with written as (${insert} returning kind, ref, credits),
    of_runs as (
      update run_credits run set used = run.used + spent.credits
      from (select ${runOfRefs(sql)} as run_id, sum(credits) as credits from written
        where kind in ('trial_step', 'judge') group by 1) spent
      where run.run_id = spent.run_id returning run.run_id)
    insert into daily_counters as counted (organization_id, day, counter, used)
    select ${organizationId}, ${today(sql)}, ${creditsCounter}, sum(credits) from written
    where (select count(*) from of_runs) >= 0 having count(*) > 0
    on conflict (organization_id, day, counter) do update set used = counted.used + excluded.used`;
}

export const creditsCounter = 'credits';
