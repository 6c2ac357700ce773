/**
 * Environments and what they point to. What an environment names may go while it is archived, so no reference is held
 * by a foreign key; while it is live, the writes themselves see to it. Names are compared as the service spells them,
 * since what lower() does depends on the database.
 */
export const environments = /* sql */ `
  create function stays_as_made() returns trigger language plpgsql as $$
  begin
    raise exception 'A row of % never changes.', tg_table_name;
  end $$;

  create table server_attachments (
    id text primary key,
    organization_id text not null,
    project_id text not null,
    name text not null,
    comparable_name text not null,
    -- Servers may go later; the group then still says which they were.
    server_ids text[] not null,
    created_at timestamptz(3) not null default now(),
    foreign key (organization_id, project_id) references projects (organization_id, id) on delete cascade
  );
  create unique index server_attachments_name on server_attachments (project_id, comparable_name);
  create index server_attachments_order on server_attachments (project_id, created_at, id);
  create trigger stays_as_made before update on server_attachments
    for each row execute function stays_as_made();

  create table skills (
    id text primary key,
    organization_id text not null,
    project_id text not null,
    name text not null,
    comparable_name text not null,
    description text,
    created_at timestamptz(3) not null default now(),
    updated_at timestamptz(3) not null default now(),
    unique (organization_id, id),
    foreign key (organization_id, project_id) references projects (organization_id, id) on delete cascade
  );
  create unique index skills_name on skills (project_id, comparable_name);
  create index skills_order on skills (project_id, created_at, id);

  create table skill_versions (
    id text primary key,
    organization_id text not null,
    skill_id text not null,
    -- From 1; the highest is the latest.
    number integer not null,
    content text not null,
    -- SHA-256 of the content, in hex.
    content_hash text not null,
    created_at timestamptz(3) not null default now(),
    unique (skill_id, number),
    foreign key (organization_id, skill_id) references skills (organization_id, id) on delete cascade
  );
  create trigger stays_as_made before update on skill_versions
    for each row execute function stays_as_made();

  create table plugins (
    id text primary key,
    organization_id text not null,
    project_id text not null,
    name text not null,
    comparable_name text not null,
    display_name text,
    description text,
    active_version_id text not null,
    created_at timestamptz(3) not null default now(),
    updated_at timestamptz(3) not null default now(),
    unique (organization_id, id),
    foreign key (organization_id, project_id) references projects (organization_id, id) on delete cascade
  );
  create unique index plugins_name on plugins (project_id, comparable_name);
  create index plugins_order on plugins (project_id, created_at, id);

  create table plugin_versions (
    id text primary key,
    organization_id text not null,
    plugin_id text not null,
    number integer not null,
    -- Canonical JSON: the servers, and the skills with the version each had.
    content text not null,
    -- SHA-256 of the content, in hex.
    bundle_hash text not null,
    created_at timestamptz(3) not null default now(),
    unique (plugin_id, number),
    unique (plugin_id, bundle_hash),
    foreign key (organization_id, plugin_id) references plugins (organization_id, id) on delete cascade
  );
  create trigger stays_as_made before update on plugin_versions
    for each row execute function stays_as_made();

  create table environments (
    id text primary key,
    organization_id text not null,
    project_id text not null,
    name text not null,
    comparable_name text not null,
    description text,
    host_id text not null,
    server_attachment_id text,
    model_id text,
    -- Null where the environment leaves the choice to its client; never empty. The same holds for the plugins.
    skill_ids text[] check (cardinality(skill_ids) > 0),
    plugin_version_ids text[] check (cardinality(plugin_version_ids) > 0),
    sandbox_image_id text,
    -- Grows by one with every write.
    revision integer not null,
    archived_at timestamptz(3),
    created_at timestamptz(3) not null default now(),
    updated_at timestamptz(3) not null default now(),
    foreign key (organization_id, project_id) references projects (organization_id, id) on delete cascade
  );
  create unique index environments_name on environments (project_id, comparable_name)
    where archived_at is null;
  create index environments_order on environments (project_id, created_at, id);
  create index environments_client on environments (host_id) where archived_at is null;

  alter table server_attachments enable row level security;
  alter table skills enable row level security;
  alter table skill_versions enable row level security;
  alter table plugins enable row level security;
  alter table plugin_versions enable row level security;
  alter table environments enable row level security;
  create policy tenant on server_attachments using (may_see(organization_id));
  create policy tenant on skills using (may_see(organization_id));
  create policy tenant on skill_versions using (may_see(organization_id));
  create policy tenant on plugins using (may_see(organization_id));
  create policy tenant on plugin_versions using (may_see(organization_id));
  create policy tenant on environments using (may_see(organization_id));
`;
