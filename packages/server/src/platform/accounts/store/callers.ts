/**
 * Finds the caller of a request. One statement finds the key or session, its account, its
 * organizations and its rights in the requested project, and takes a token from the caller's rate
 * limit bucket. Requests that arrive at the same time share one statement. Nothing is cached, so a
 * revoked or expired key, an ended session or a disabled account is rejected by every process at
 * once.
 */
import type {
  KeyScope,
  OrganizationRole,
  ProjectTier,
  ProjectVisibility,
  RateLimit,
} from '@proofmark/domain';
import { retryAfterSeconds } from '@proofmark/domain';
import { Batcher, mostAtOnce } from '../../database/batcher.ts';
import type { Database } from '../../database/database.ts';
import { noteKeyUse, useIsOld } from './key-use.ts';
import type { ProjectEntry } from './projects.ts';
import { type BucketRow, takeFrom } from './rate-limits.ts';

export interface Account {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly hasPassword: boolean;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export interface Caller {
  readonly account: Account;
  readonly kind: 'key' | 'session';
  /** The scope of a key; a person's session always has the full scope. */
  readonly scope: KeyScope;
  /**
   * The organizations that this caller may reach: the organization of a key, or all organizations
   * of a session's account.
   */
  readonly organizationIds: readonly string[];
}

export type CallerFound =
  | {
      readonly caller: Caller;
      readonly project: ProjectEntry | undefined;
      readonly runRevision: number | undefined;
      readonly epoch: string;
      readonly retryAfterSeconds?: number;
    }
  | { readonly orphaned: true }
  | undefined;

/**
 * The data to look up besides the caller: a project by its id, optionally with one of its runs, or
 * the Default project of the caller's only organization.
 */
export type Wanted =
  | { readonly projectId: string; readonly runId?: string }
  | 'default'
  | undefined;

/**
 * The rate limit buckets of a key: one for all calls, and a second one for ingestion if that has a
 * separate limit.
 */
export type KeyBucket = 'of all calls' | 'of ingestion';

export async function findCallerByKey(
  database: Database,
  presentedKey: string,
  limit: RateLimit | 'off',
  wanted: Wanted,
  bucket: KeyBucket = 'of all calls',
): Promise<CallerFound> {
  const hash = database.vault.apiKeys.hashOf(presentedKey);
  if (hash === undefined) return undefined;
  const row = (await read(database, byKey[bucket], hash, limit, wanted)) as KeyRow | undefined;
  if (row === undefined) return undefined;
  if (row.organizationId === null || row.role === null) return { orphaned: true };
  return found(row, { kind: 'key', scope: row.keyScope, organizationIds: [row.organizationId] });
}

export async function findCallerBySession(
  database: Database,
  tokenHash: Buffer,
  limit: RateLimit | 'off',
  wanted: Wanted,
): Promise<CallerFound> {
  const row = (await read(database, bySession, tokenHash, limit, wanted)) as SessionRow | undefined;
  if (row === undefined) return undefined;
  return found(row, { kind: 'session', scope: 'full', organizationIds: row.organizationIds });
}

interface CallerRow extends Partial<BucketRow> {
  /** The number, from 1, of the question in the batch that this row answers. */
  readonly ask: string;
  /** The position, from 1, among the rows of this batch that take a token from the same bucket. */
  readonly place: string;
  readonly accountId: string;
  readonly email: string;
  readonly accountName: string;
  readonly hasPassword: boolean;
  readonly accountCreatedAt: Date;
  readonly accountUpdatedAt: Date;
  readonly projectId: string | null;
  readonly projectOrganizationId: string;
  readonly projectVisibility: ProjectVisibility;
  readonly projectIsDefault: boolean;
  readonly organizationRole: OrganizationRole;
  readonly grantedTier: ProjectTier | null;
  readonly hasQuotas: boolean;
  readonly runRevision: number | null;
  /** The epoch, an id that every restore of the database changes; null before the first start. */
  readonly epoch: string | null;
}
type KeyRow = CallerRow & {
  readonly keyId: string;
  readonly keyScope: KeyScope;
  readonly useIsOld: boolean;
  readonly organizationId: string | null;
  readonly role: OrganizationRole | null;
};
type SessionRow = CallerRow & { organizationIds: string[] };

interface Kind {
  readonly name: string;
  readonly caller: string;
  /** An SQL expression for the bucket of a caller. If it is null, no token is taken. */
  readonly bucket: string;
  readonly organizations: string;
}

const accountColumns = `accounts.id as account_id, accounts.email, accounts.name as account_name,
  accounts.password_hash is not null as has_password,
  accounts.created_at as account_created_at, accounts.updated_at as account_updated_at`;

const byKeyAlone: Kind = {
  name: 'key',
  caller: `
    select asked.*, api_keys.id as key_id, api_keys.scope as key_scope, ${useIsOld} as use_is_old,
      api_keys.organization_id, memberships.role, ${accountColumns}
    from asked
    join api_keys on api_keys.hash = asked.hash and api_keys.revoked_at is null
      and (api_keys.expires_at is null or api_keys.expires_at > now())
    join accounts on accounts.id = api_keys.account_id and accounts.disabled_at is null
    left join memberships on memberships.organization_id = api_keys.organization_id
      and memberships.account_id = api_keys.account_id`,
  bucket: `case when role is not null then 'key:' || key_id end`,
  organizations: 'array[caller.organization_id]',
};

const byKey: Readonly<Record<KeyBucket, Kind>> = {
  'of all calls': byKeyAlone,
  'of ingestion': {
    ...byKeyAlone,
    name: 'ingesting key',
    bucket: `case when role is not null then 'ingestion:' || key_id end`,
  },
};

const bySession: Kind = {
  name: 'session',
  caller: `
    select asked.*, encode(sessions.token_hash, 'hex') as session_id, ${accountColumns},
      array(select organization_id from memberships where account_id = accounts.id) as organization_ids
    from asked
    join sessions on sessions.token_hash = asked.hash and sessions.expires_at > now()
    join accounts on accounts.id = sessions.account_id and accounts.disabled_at is null`,
  bucket: `'session:' || session_id`,
  organizations: 'caller.organization_ids',
};

/** `hash` is hexadecimal. An empty `projectId` or `runId` means that none is requested. */
type Question = readonly [hash: string, projectId: string, runId: string];

function read(
  database: Database,
  kind: Kind,
  hash: Buffer,
  limit: RateLimit | 'off',
  wanted: Wanted,
): Promise<CallerRow | undefined> {
  const runId = typeof wanted === 'object' ? (wanted.runId ?? '') : '';
  const projectId = typeof wanted === 'object' ? wanted.projectId : (wanted ?? '');
  const isDefault = wanted === 'default';
  return lookUps(database, kind, limit).answer([
    hash.toString('hex'),
    // In the statement, `default` means the Default project. A request for a project whose id is
    // `default` must not get the Default project, so the id is dropped.
    isDefault || projectId !== 'default' ? word(projectId) : '',
    word(runId),
  ]);
}

/**
 * Returns the text, or an empty string if it cannot be an id. A space, for example, would split it
 * into two fields of the question.
 */
function word(text: string): string {
  return /^[\w-]*$/.test(text) ? text : '';
}

const known = new WeakMap<Database, Map<string, Batcher<Question, CallerRow | undefined>>>();

/** Returns the batcher for a kind of caller and a limit. There are three or four in all. */
function lookUps(
  database: Database,
  kind: Kind,
  limit: RateLimit | 'off',
): Batcher<Question, CallerRow | undefined> {
  const ofDatabase = known.get(database) ?? new Map();
  known.set(database, ofDatabase);
  const name = limit === 'off' ? kind.name : `${kind.name} ${limit.perMinute}/${limit.burst}`;
  let lookUp = ofDatabase.get(name);
  if (lookUp === undefined) {
    const statement = statementFor(kind, limit);
    lookUp = new Batcher<Question, CallerRow | undefined>((questions) =>
      findTogether(database, statement, questions),
    );
    ofDatabase.set(name, lookUp);
  }
  return lookUp;
}

async function findTogether(
  database: Database,
  statement: TemplateStringsArray,
  questions: readonly Question[],
): Promise<readonly (CallerRow | undefined)[]> {
  // All questions travel in one text, one per line, since each additional parameter of a statement
  // costs more than its content.
  const text = questions.map((question) => question.join(' ')).join('\n');
  // The statement is passed like a tagged template, which is the driver's fastest path.
  const rows = await database.callers<CallerRow[]>(statement, text);
  const answers: (CallerRow | undefined)[] = Array(questions.length).fill(undefined);
  for (const row of rows) answers[Number(row.ask) - 1] = row;
  noteKeyUse(database, rows as readonly Partial<KeyRow>[]);
  return answers;
}

/**
 * Returns the statement for a kind of caller. PostgreSQL's planner cannot count the lines of the
 * text, so an SQL `limit` clause tells it how many rows to expect. Indentation is removed, because
 * the driver looks up statements by their whole text on every call.
 */
function statementFor(kind: Kind, limit: RateLimit | 'off'): TemplateStringsArray {
  const { organizations } = kind;
  const wanted = `select bucket, count(*) from placed where bucket is not null group by bucket`;
  const text = `
    with asked as materialized (
      select ask, decode(split_part(line, ' ', 1), 'hex') as hash, split_part(line, ' ', 2) as wanted_project,
        split_part(line, ' ', 3) as wanted_run
      from string_to_table($1, E'\\n') with ordinality as lines (line, ask) limit ${mostAtOnce}
    ), caller as materialized (${kind.caller}
    ), placed as (
      select ask, bucket, row_number() over (partition by bucket order by ask) as place
      from (select ask, ${kind.bucket} as bucket from caller) as named
    )
    ${limit === 'off' ? '' : `, bucket as (${takeFrom(wanted, limit)})`}
    select caller.*, placed.place, standing.*,
      ${limit === 'off' ? '' : 'bucket.passed, bucket.wait_ms,'}
      case when wanted_run <> '' then eval_run_revision(${organizations}, wanted_project, wanted_run) end
        as run_revision,
      (select epoch from installation) as epoch
    from caller join placed using (ask)
    ${limit === 'off' ? '' : 'left join bucket on bucket.bucket = placed.bucket'}
    left join lateral project_standing(${organizations}, caller.account_id,
      case wanted_project when 'default' then default_project(${organizations}) else wanted_project end
    ) standing on wanted_project <> ''`;
  const parts = text.replace(/\s+/g, ' ').split('$1');
  return Object.assign(parts, { raw: parts });
}

function found(
  row: CallerRow,
  as: Pick<Caller, 'kind' | 'scope' | 'organizationIds'>,
): CallerFound {
  const caller: Caller = {
    ...as,
    account: {
      id: row.accountId,
      email: row.email,
      name: row.accountName,
      hasPassword: row.hasPassword,
      createdAt: row.accountCreatedAt,
      updatedAt: row.accountUpdatedAt,
    },
  };
  const project = standingOf(row);
  const runRevision = row.runRevision ?? undefined;
  const epoch = row.epoch ?? '';
  const { passed, waitMs } = row;
  // `passed` is not a number if no token was taken: the limit is off, or the key's account is no
  // longer a member. Such a key is rejected elsewhere.
  if (typeof passed !== 'number' || Number(row.place) <= passed) {
    return { caller, project, runRevision, epoch };
  }
  const wait = retryAfterSeconds(waitMs as number);
  return { caller, project, runRevision, epoch, retryAfterSeconds: wait };
}

function standingOf(row: CallerRow): ProjectEntry | undefined {
  if (row.projectId === null) return undefined;
  return {
    id: row.projectId,
    organizationId: row.projectOrganizationId,
    visibility: row.projectVisibility,
    isDefault: row.projectIsDefault,
    organizationRole: row.organizationRole,
    grantedTier: row.grantedTier,
    hasQuotas: row.hasQuotas,
  };
}
