/**
 * Records whether a run belongs to the sample that the service itself creates, and the scale of a
 * visitor's rating.
 */
export const sampleAndScale = `
  alter table eval_runs add column is_sample boolean not null default false;
  alter table journey_runs add column is_sample boolean not null default false;
  -- Null for ratings from before this migration.
  alter table visitor_feedback add column scale text check (scale in ('stars', 'thumbs'));
`;
