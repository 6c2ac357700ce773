/**
 * Several tokens can be taken from a bucket at once; `allowed` is left for processes of the version before. And
 * which organizations may be seen is found out once for a statement, where many rows are written by one.
 */
export const manyAtOnce = /* sql */ `
  alter table rate_limits add column passed integer not null default 0;
  alter table rate_limits alter column allowed set default true;

  create function visible_organizations() returns text[]
    language sql stable parallel safe
    return string_to_array(current_setting('proofmark.organization_ids', true), ',');

  alter policy tenant on eval_iterations
    using (organization_id = any ((select visible_organizations())::text[]));
  alter policy tenant on eval_traces
    using (organization_id = any ((select visible_organizations())::text[]));
`;
