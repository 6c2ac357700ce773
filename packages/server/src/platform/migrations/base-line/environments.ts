import { closedByRow } from './closed-to-others.ts';

/**
 * Clients, skills, plugins and environments. An archived environment may refer to deleted objects,
 * so environments have no foreign keys; writes check the references of the others. Names are
 * compared by the column `comparable_name`, which our code fills, since the effect of lower()
 * depends on the database.
 */
export const environments = /* sql */ `
  -- Under the hash of its text, once for each organization, and never changed. One that no client names stays: a run
  -- names its config by id.
  create table client_configs (
    organization_id text not null references organizations on delete cascade,
    id text not null,
    config text not null,
    -- For lists, which do not read the configs.
    model_id text not null,
    server_count integer not null,
    has_computer boolean not null,
    created_at timestamptz(3) not null default now(),
    primary key (organization_id, id)
  );

  create table clients (
    id text primary key,
    organization_id text not null,
    project_id text not null,
    name text not null,
    comparable_name text not null,
    config_id text not null,
    created_at timestamptz(3) not null default now(),
    updated_at timestamptz(3) not null default now(),
    unique (organization_id, project_id, id),
    foreign key (organization_id, project_id) references projects (organization_id, id) on delete cascade,
    -- Checked last, so that an organization can be deleted with all it has, in whatever order.
    foreign key (organization_id, config_id)
      references client_configs (organization_id, id) deferrable initially deferred
  );
  create index clients_order on clients (project_id, created_at, id);
  create index clients_comparable_name on clients (project_id, comparable_name);

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
  create trigger refuse_update before update on skill_versions for each row execute function refuse_update();

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
  create trigger refuse_update before update on plugin_versions for each row execute function refuse_update();

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
  create unique index environments_name on environments (project_id, comparable_name) where archived_at is null;
  create index environments_order on environments (project_id, created_at, id);
  create index environments_client on environments (host_id) where archived_at is null;

  ${closedByRow([
    'client_configs',
    'clients',
    'skills',
    'skill_versions',
    'plugins',
    'plugin_versions',
    'environments',
  ])}
`;
