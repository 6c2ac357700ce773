/**
 * Observations of the widgets of trials, stored apart from traces, so that reading a page or a
 * trace never loads them. A run stores each picture once, because the trials of one case mostly
 * show the same pictures.
 */
import type { TrialWidgets } from '../../../conversation/trial-widgets.ts';
import { columnsOfRows } from '../../../platform/database/columns-of-rows.ts';
import type { Fragment, Sql } from '../../../platform/database/database.ts';
import {
  type Document,
  readRecord,
  readRecords,
} from '../../../platform/database/read-document.ts';
import { bytesPerRow } from './measured-runs.ts';

interface TrialWithWidgets {
  readonly ordinal: number;
  readonly widgets?: TrialWidgets | null;
}

const columnsOfWidgets = columnsOfRows<TrialWithWidgets>([
  { name: 'ordinal', type: 'integer', of: (trial) => trial.ordinal },
  { name: 'observations', type: 'text', of: (trial) => trial.widgets?.observations },
]);

/**
 * Sends no statement if no trial has widgets. The caller must hold the run's lock, so that no other
 * transaction writes the run's pictures meanwhile.
 */
export function writeWidgets(
  sql: Sql,
  runId: string,
  organizationId: string,
  trials: readonly TrialWithWidgets[],
): Promise<unknown>[] {
  const seen = trials.filter(({ widgets }) => (widgets?.observations.length ?? 0) > 0);
  if (seen.length === 0) return [];
  const { names } = columnsOfWidgets;
  const pictures = new Map(
    seen.flatMap(({ widgets }) => widgets?.pictures ?? []).map(({ sha256, png }) => [sha256, png]),
  );
  return [
    sql`
      insert into eval_widgets (run_id, organization_id, ${names})
      select ${runId}, ${organizationId}, ${names} from ${columnsOfWidgets.of(seen)} widgets`,
    ...[...pictures].map(
      ([sha256, png]) => sql`
        insert into eval_widget_pictures (run_id, organization_id, sha256, png)
        values (${runId}, ${organizationId}, ${sha256}, ${png}) on conflict do nothing`,
    ),
  ];
}

export interface SeenOfTrial {
  /** The observations, not yet validated; empty if no widget was opened. */
  readonly observations: readonly Document[];
  /** The data that was reported with the trial besides its trace. */
  readonly details: Document;
  readonly trace: Document;
}

export async function readWidgets(
  sql: Sql,
  projectId: string,
  runId: string,
  trialId: string,
): Promise<SeenOfTrial | undefined> {
  const [row] = await sql<SeenRow[]>`
    select observations, case when is_reported then details end as details,
      case when is_reported then trace end as trace
    from (
      select id, source = 'sdk' as is_reported from eval_runs
      where id = ${runId} and project_id = ${projectId}
    ) run
      join eval_iterations on eval_iterations.run_id = ${runId}
      left join eval_widgets using (run_id, ordinal)
      left join eval_traces using (run_id, ordinal)
    where eval_iterations.id = ${trialId}`;
  return (
    row && {
      observations: readRecords(row.observations),
      details: readRecord(row.details) ?? {},
      trace: readRecord(row.trace) ?? {},
    }
  );
}

interface SeenRow {
  readonly observations: string | null;
  readonly details: string | null;
  readonly trace: string | null;
}

export async function readWidgetPicture(
  sql: Sql,
  runId: string,
  sha256: string,
): Promise<Uint8Array | undefined> {
  const [row] = await sql<{ png: Uint8Array }[]>`
    select png from eval_widget_pictures where run_id = ${runId} and sha256 = ${sha256}`;
  return row?.png;
}

export function removeWidgets(sql: Sql, runId: string): Promise<unknown>[] {
  return [
    sql`delete from eval_widgets where run_id = ${runId}`,
    sql`delete from eval_widget_pictures where run_id = ${runId}`,
  ];
}

export function bytesOfWidgets(sql: Sql, runId: string): Fragment {
  return sql`
    select (
      select coalesce(sum(${bytesPerRow} + pg_column_size(observations)), 0)
      from eval_widgets where run_id = ${runId}
    ) + (
      select coalesce(sum(${bytesPerRow} + pg_column_size(png)), 0)
      from eval_widget_pictures where run_id = ${runId}
    ) as bytes`;
}
