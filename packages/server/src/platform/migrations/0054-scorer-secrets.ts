/** The secret of a project that requests to its own scorers are signed with. */
export const scorerSecrets = /* sql */ `
  alter table projects
    add column sealed_scorer_secret bytea,
    add column scorer_secret_made_at timestamptz(3),
    add check ((sealed_scorer_secret is null) = (scorer_secret_made_at is null));

  create trigger sealed_scorer_secret_key before insert or update of sealed_scorer_secret on projects
    for each row when (new.sealed_scorer_secret is not null) execute function refuse_old_key('sealed_scorer_secret');
`;
