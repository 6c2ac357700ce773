/** Records which runs the service launched for its sample, and the scale in which a rating was given. */
export const sampleAndScale = `
  alter table eval_runs add column is_sample boolean not null default false;
  alter table journey_runs add column is_sample boolean not null default false;
  -- Null for ratings from before this migration.
  alter table visitor_feedback add column scale text check (scale in ('stars', 'thumbs'));
`;
