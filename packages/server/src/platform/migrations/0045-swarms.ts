/** Personas, journeys that they pursue, and swarms, which are folders of journeys. */
export const swarms = /* sql */ `
  create table personas (
    id text primary key,
    organization_id text not null,
    project_id text not null,
    -- Unique among all of the project, archived ones too; stays when the persona is renamed.
    slug text not null,
    name text not null,
    role text not null,
    notes text,
    source text not null default 'manual',
    seed_keywords text[],
    avatar_shape smallint,
    avatar_palette smallint,
    archived_at timestamptz(3),
    created_at timestamptz(3) not null default now(),
    updated_at timestamptz(3) not null default now(),
    unique (project_id, slug),
    unique (organization_id, id),
    foreign key (organization_id, project_id) references projects (organization_id, id) on delete cascade
  );
  create index personas_order on personas (project_id, created_at, id) where archived_at is null;

  create table swarms (
    id text primary key,
    organization_id text not null,
    project_id text not null,
    name text not null,
    description text,
    environment_ids text[] not null,
    sessions_per_target integer not null,
    max_turns integer not null,
    archived_at timestamptz(3),
    created_at timestamptz(3) not null default now(),
    updated_at timestamptz(3) not null default now(),
    unique (organization_id, id),
    foreign key (organization_id, project_id) references projects (organization_id, id) on delete cascade
  );
  create index swarms_order on swarms (project_id, created_at, id);

  create table journeys (
    id text primary key,
    organization_id text not null,
    project_id text not null,
    name text not null,
    goal text not null,
    persona_id text not null,
    -- Kept when the swarm is archived.
    swarm_id text,
    environment_ids text[] not null,
    host_ids text[] not null,
    server_attachment_id text,
    sessions_per_target integer not null,
    max_turns integer not null,
    -- JSON: the criteria in their order, and who judges.
    rubric text not null,
    judge_config text,
    persona_model text,
    archived_at timestamptz(3),
    created_at timestamptz(3) not null default now(),
    updated_at timestamptz(3) not null default now(),
    unique (organization_id, id),
    foreign key (organization_id, project_id) references projects (organization_id, id) on delete cascade,
    foreign key (organization_id, persona_id) references personas (organization_id, id) on delete cascade,
    foreign key (organization_id, swarm_id) references swarms (organization_id, id) on delete cascade
  );
  create index journeys_order on journeys (project_id, created_at, id);
  create index journeys_persona on journeys (persona_id);
  create index journeys_swarm on journeys (swarm_id);

  alter table personas enable row level security;
  alter table swarms enable row level security;
  alter table journeys enable row level security;
  create policy tenant on personas using (may_see(organization_id));
  create policy tenant on swarms using (may_see(organization_id));
  create policy tenant on journeys using (may_see(organization_id));
`;
