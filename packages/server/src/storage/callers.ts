/**
 * Who is calling: one statement finds the key or the session, the account, what it belongs to and how it stands to
 * the project it asks for, and takes a token from the caller's bucket. A key that is revoked is not found,
 * on any process, from the moment the revocation is written.
 */
import type {
  OrganizationRole,
  ProjectTier,
  ProjectVisibility,
  RateLimit,
} from '@proofmark/domain';
import type { Database } from './database.ts';
import type { ProjectEntry } from './projects.ts';
import { type BucketRow, takeFrom, taken } from './rate-limits.ts';

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
  /** The organizations this caller may reach: a key has one, a session all of its account. */
  readonly organizationIds: readonly string[];
}

export type CallerFound =
  | {
      readonly caller: Caller;
      /** The project that was asked for, when it is in reach. */
      readonly project: ProjectEntry | undefined;
      /** Of the run that was asked for, when it is in that project. */
      readonly runRevision: number | undefined;
      readonly retryAfterSeconds?: number;
    }
  | { readonly orphaned: true }
  | undefined;

/** A project by its id, or the Default project of the caller's one organization; and a run of the project. */
export type Wanted =
  | { readonly projectId: string; readonly runId?: string }
  | 'default'
  | undefined;

export async function findCallerByKey(
  database: Database,
  presentedKey: string,
  limit: RateLimit | 'off',
  wanted: Wanted,
): Promise<CallerFound> {
  const hash = database.vault.apiKeys.hashOf(presentedKey);
  if (hash === undefined) return undefined;
  const row = await read<KeyRow>(database, byKey, hash, limit, wanted);
  if (row === undefined) return undefined;
  if (row.organizationId === null || row.role === null) return { orphaned: true };
  return found(row, 'key', [row.organizationId]);
}

export async function findCallerBySession(
  database: Database,
  tokenHash: Buffer,
  limit: RateLimit,
  wanted: Wanted,
): Promise<CallerFound> {
  const row = await read<SessionRow>(database, bySession, tokenHash, limit, wanted);
  return row && found(row, 'session', row.organizationIds);
}

interface CallerRow extends Partial<BucketRow> {
  readonly accountId: string;
  readonly email: string;
  readonly accountName: string;
  readonly hasPassword: boolean;
  readonly accountCreatedAt: Date;
  readonly accountUpdatedAt: Date;
  readonly projectId?: string | null;
  readonly projectOrganizationId?: string;
  readonly projectVisibility?: ProjectVisibility;
  readonly projectIsDefault?: boolean;
  readonly organizationRole?: OrganizationRole;
  readonly grantedTier?: ProjectTier | null;
  readonly runRevision?: number | null;
}
type KeyRow = CallerRow & { organizationId: string | null; role: OrganizationRole | null };
type SessionRow = CallerRow & { organizationIds: string[] };

interface Kind {
  /** Finds the caller by $1. */
  readonly caller: string;
  /** Names the bucket of the caller that was found. */
  readonly bucket: string;
  readonly organizations: string;
}

const accountColumns = `accounts.id as account_id, accounts.email, accounts.name as account_name,
  accounts.password_hash is not null as has_password,
  accounts.created_at as account_created_at, accounts.updated_at as account_updated_at`;

const byKey: Kind = {
  caller: `
    select api_keys.id as key_id, api_keys.organization_id, memberships.role, ${accountColumns}
    from api_keys
    join accounts on accounts.id = api_keys.account_id
    left join memberships on memberships.organization_id = api_keys.organization_id
      and memberships.account_id = api_keys.account_id
    where api_keys.hash = $1 and api_keys.revoked_at is null`,
  bucket: `select 'key:' || key_id from caller where role is not null`,
  organizations: 'array[caller.organization_id]',
};

const bySession: Kind = {
  caller: `
    select encode(sessions.token_hash, 'hex') as session_id, ${accountColumns},
      array(select organization_id from memberships where account_id = accounts.id) as organization_ids
    from sessions
    join accounts on accounts.id = sessions.account_id
    where sessions.token_hash = $1 and sessions.expires_at > now()`,
  bucket: `select 'session:' || session_id from caller`,
  organizations: 'caller.organization_ids',
};

async function read<Row extends CallerRow>(
  database: Database,
  kind: Kind,
  hash: Buffer,
  limit: RateLimit | 'off',
  wanted: Wanted,
): Promise<Row | undefined> {
  const { parts, order } = statementFor(kind, limit, wanted);
  const parameters = [
    hash,
    typeof wanted === 'object' ? wanted.projectId : '',
    typeof wanted === 'object' ? (wanted.runId ?? '') : '',
  ];
  // Called as a template is, though its parts come from a map: the driver takes that way fastest.
  const [row] = await database.callers<Row[]>(
    parts,
    ...order.map((at) => parameters[at] as string),
  );
  return row;
}

/** A statement as the driver takes it: the parts between its parameters, and which goes where. */
interface Statement {
  readonly parts: TemplateStringsArray;
  readonly order: readonly number[];
}

/** Put together once for each kind of request: the door is where every request passes. */
function statementFor(kind: Kind, limit: RateLimit | 'off', wanted: Wanted): Statement {
  const bucket = limit === 'off' ? 'off' : `${limit.perMinute}/${limit.burst}`;
  const named = typeof wanted === 'object' ? (wanted.runId === undefined ? 'id' : 'run') : wanted;
  const name = `${kind.bucket} ${bucket} ${named}`;
  const known = statements.get(name);
  if (known !== undefined) return known;
  const { organizations } = kind;
  const project = named === 'default' ? `default_project(${organizations})` : '$2';
  const standing = `project_standing(${organizations}, caller.account_id, ${project})`;
  const statement = cutAtParameters(`
    with caller as (${kind.caller})
    ${limit === 'off' ? '' : `, bucket as (${takeFrom(kind.bucket, limit)})`}
    select * ${named === 'run' ? `, eval_run_revision(${organizations}, $2, $3) as run_revision` : ''}
    from caller
    ${limit === 'off' ? '' : 'left join bucket on true'}
    ${named === undefined ? '' : `left join lateral ${standing} standing on true`}`);
  statements.set(name, statement);
  return statement;
}

/** Without the indentation: the driver looks its statements up by their whole text, with every request. */
function cutAtParameters(text: string): Statement {
  const pieces = text.replace(/\s+/g, ' ').split(/\$(\d)/);
  const parts = pieces.filter((_, index) => index % 2 === 0);
  const order = pieces.filter((_, index) => index % 2 === 1).map((number) => Number(number) - 1);
  return { parts: Object.assign(parts, { raw: parts }), order };
}

const statements = new Map<string, Statement>();

function found(
  row: CallerRow,
  kind: Caller['kind'],
  organizationIds: readonly string[],
): CallerFound {
  const caller: Caller = {
    kind,
    organizationIds,
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
  if (row.allowed !== false) return { caller, project, runRevision };
  return {
    caller,
    project,
    runRevision,
    retryAfterSeconds: taken(row as BucketRow).retryAfterSeconds,
  };
}

function standingOf(row: CallerRow): ProjectEntry | undefined {
  if (row.projectId === undefined || row.projectId === null) return undefined;
  const standing: { [Name in keyof ProjectEntry]: ProjectEntry[Name] | undefined } = {
    id: row.projectId,
    organizationId: row.projectOrganizationId,
    visibility: row.projectVisibility,
    isDefault: row.projectIsDefault,
    organizationRole: row.organizationRole,
    grantedTier: row.grantedTier,
  };
  return standing as ProjectEntry;
}
