import { closedByStatement } from './closed-to-others.ts';

/**
 * Requests to explain the findings of detectors: one row for a run, a wave or a time window. A row
 * keeps its `generation` number even if the request is withdrawn. So a worker that still has an
 * older generation cannot write.
 */
export const insights = /* sql */ `
  create table insights (
    kind text not null check (kind in ('eval_run', 'swarm_wave', 'user_testing_window')),
    scope_id text not null,
    organization_id text not null,
    project_id text not null,
    -- Null where nobody asked, or the request was released.
    status text check (status in ('pending', 'completed', 'failed')),
    generation integer not null default 0,
    -- The account that asked.
    requested_by text,
    requested_at timestamptz(3),
    model_used text,
    -- JSON: what detectors found, and its explanations.
    candidates text,
    answer text,
    error_code text,
    -- Of the worker that explains it.
    beat_at timestamptz(3),
    generated_at timestamptz(3),
    updated_at timestamptz(3) not null default clock_timestamp(),
    primary key (kind, scope_id),
    foreign key (organization_id, project_id) references projects (organization_id, id) on delete cascade
  );
  create index insights_project on insights (organization_id, project_id);
  create index insights_pending on insights (beat_at) where status = 'pending';

  -- A worker works for all organizations and sees no more of them than where to go on.
  create function silent_insights(silent_seconds double precision)
    returns table (organization_id text, project_id text, kind text, scope_id text, generation integer)
    language sql stable security definer
    begin atomic
      select organization_id, project_id, kind, scope_id, generation from insights
      where status = 'pending' and beat_at < statement_timestamp() - make_interval(secs => silent_seconds);
    end;

  ${closedByStatement(['insights'])}
`;
