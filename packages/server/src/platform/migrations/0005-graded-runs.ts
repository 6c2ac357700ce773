import { closedByStatement } from './base-line/closed-to-others.ts';

/**
 * Joins the results of each run into one row, since most of the time of reading 1,000 runs went
 * into comparing the variants of each row.
 */
export const gradedRuns = /* sql */ `
  create table graded_runs (
    run_id text primary key,
    organization_id text not null,
    suite_id text not null,
    -- JSON: for each history that the run continued, its case, model, provider, content hash and tool surface hash. The
    -- surface is null for reported trials, and where no tools were listed.
    variants text not null,
    -- Most runs of a suite have the same variants. Their hash, SHA-256, groups such runs.
    variants_hash bytea not null,
    variant_count integer not null,
    -- In the order of variants, separated by spaces: the place of the variant's last trial among those of the others
    -- (1, 2, 3 …), a colon, and '1' for each passed and '0' for each failed trial, in the order of their end.
    results text not null,
    ended_at timestamptz(3) not null,
    foreign key (organization_id, run_id) references eval_runs (organization_id, id) on delete cascade
  );
  insert into graded_runs (run_id, organization_id, suite_id, variants, variants_hash, variant_count, results, ended_at)
  select run_id, organization_id, suite_id, variants, sha256(convert_to(variants, 'UTF8')), variant_count, results, ended_at
  from (
    select run_id, organization_id, suite_id, count(*) as variant_count, max(ended_at) as ended_at,
      json_agg(variant order by variant::text collate "C")::text as variants,
      string_agg(number || ':' || results, ' ' order by variant::text collate "C") as results
    from (
      select *, json_build_array(case_id, model, provider, content_hash, tool_surface_hash) as variant
      from graded_results
    ) single
    group by run_id, organization_id, suite_id
  ) joined;
  drop table graded_results;
  create index graded_runs_suite on graded_runs (suite_id, ended_at);
  ${closedByStatement(['graded_runs'])}
`;
