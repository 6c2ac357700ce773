import { closedByStatement } from './base-line/closed-to-others.ts';

/**
 * Records the results of ended runs so compactly that the histories of 1,000 runs are read at once.
 * Runs that ended before this migration have no rows.
 */
export const gradedResults = /* sql */ `
  -- One row for each case variant of a run, and for each surface that its trials were offered.
  create table graded_results (
    run_id text not null,
    -- 1, 2, 3 … in the order of their last trials.
    number integer not null,
    organization_id text not null,
    suite_id text not null,
    case_id text not null,
    model text,
    provider text,
    content_hash text not null,
    -- Null for reported trials, and where no tools were listed.
    tool_surface_hash text,
    -- '1' for each passed and '0' for each failed trial, in the order of their end.
    results text not null,
    ended_at timestamptz(3) not null,
    primary key (run_id, number),
    foreign key (organization_id, run_id) references eval_runs (organization_id, id) on delete cascade
  );
  create index graded_results_suite on graded_results (suite_id, ended_at);
  ${closedByStatement(['graded_results'])}
`;
