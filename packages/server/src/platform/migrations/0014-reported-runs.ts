/**
 * Reported runs that nobody finalizes come to an end: their deadline moves on with every batch, and the watchdog ends
 * those whose time is over, as it does with runs of our own. Those that are open now get the time from today.
 */
export const reportedRuns = /* sql */ `
  alter table eval_runs
    -- The uploaded file the run was reported by, which is used up then.
    add column artifact_id text;

  alter table eval_iterations
    -- Of a reported trial, whether it came with a trace, so that a page can say so without reading one.
    add column has_trace boolean;

  -- Every worker looks every second for runs whose time is over.
  create index eval_runs_deadline on eval_runs (deadline_at) where status in ('pending', 'running');
  update eval_runs set deadline_at = now() + interval '24 hours'
    where status in ('pending', 'running') and source = 'sdk';

  -- By the time of the statement: no index is searched by a time that goes on while it is searched.
  create or replace function overdue_runs() returns table (organization_id text, project_id text, run_id text)
    language sql stable security definer
    begin atomic
      select organization_id, project_id, id from eval_runs
      where status in ('pending', 'running') and deadline_at < statement_timestamp();
    end;

  -- A stored document, or nothing where it is no JSON: one that is broken must not break a sum over all of them. Since it
  -- catches what goes wrong, parallel workers must not run it: they fail at that before PostgreSQL 18.
  create function document_of(stored text) returns json language plpgsql immutable strict parallel unsafe as $$
  begin
    return stored::json;
  exception when others then
    return null;
  end $$;
`;
