/**
 * The parts of a restore besides loading rows.
 *
 * - Revoked keys, disabled accounts, ended sessions, and used or withdrawn links and invitations
 *   stay so, even if they are valid in the backup.
 * - Audit lines that the backup lacks are added, since the audit log only ever grows.
 * - Leases, cached answers and cursors from before the restore become invalid: lease numbers
 *   continue after the last one, and the epoch (an id of the data) changes.
 * - Waiting jobs are deleted, as they concern the replaced data.
 * - Spending and counters stay, and so does the setting that the installation serves one person.
 * - Every organization gets an audit line about the restore.
 */
import type pg from 'pg';
import { keepSpending, rememberSpending } from './keep-spending.ts';
import type { RestoreOptions, VerifiedBackup } from './restore-from.ts';
import { lastMigration, schema } from './stored-tables.ts';

type Steps = Required<Pick<RestoreOptions, 'remember' | 'complete'>>;

/**
 * Returns the steps before and after loading, which run in the transaction of the restore.
 * `complete` needs tables of the latest migration.
 */
export function restoreSteps({ header }: VerifiedBackup): Steps {
  let lastLease = 0n;
  return {
    async remember(client) {
      await client.query(emptyMemory);
      await rememberSpending(client);
      // If no migration has run, there are no tables and so nothing to remember.
      if (((await lastMigration(client)) ?? 0) === 0) return;
      await client.query(
        rememberPeople +
          rememberInvitations +
          rememberDisabled +
          rememberForOnePerson +
          rememberLines +
          rememberRevokedBefore,
      );
      lastLease = await readLastLease(client);
    },
    async complete(client) {
      const next = [lastLease, await readLastLease(client)].reduce((one, other) =>
        one > other ? one : other,
      );
      // Uses ALTER SEQUENCE, since the effect of setval would outlive a rollback.
      await client.query(`alter sequence ${schema}.work_leases restart with ${next + 1n}`);
      await client.query(complete);
      await client.query(addLines);
      await keepSpending(client);
      const queue = await client.query(
        `select to_regclass('graphile_worker._private_jobs') is not null as yes`,
      );
      if (queue.rows[0].yes) await client.query('delete from graphile_worker._private_jobs');
      const details = { takenAt: header.createdAt, migration: header.migration };
      await client.query(audit, [JSON.stringify(details)]);
    },
  };
}

const emptyMemory = `
  create temp table revoked_keys (hash bytea) on commit drop;
  create temp table for_one_person_before (said boolean) on commit drop;
  create temp table disabled_accounts (id text, disabled_at timestamptz(3), disabled_by text) on commit drop;
  create temp table open_sessions (token_hash bytea) on commit drop;
  create temp table open_links (token_hash bytea) on commit drop;
  create temp table open_invitations (token_hash bytea) on commit drop;
  create temp table lines_before (
    id bigint, organization_id text, project_id text, at timestamptz(3), account_id text, account_email text,
    caller_kind text, action text, subject_id text, details text
  ) on commit drop;`;

const lineColumns =
  'organization_id, project_id, at, account_id, account_email, caller_kind, action, subject_id, details';

const rememberPeople = `
  insert into pg_temp.revoked_keys select hash from ${schema}.api_keys where revoked_at is not null;
  insert into pg_temp.open_sessions select token_hash from ${schema}.sessions;
  insert into pg_temp.open_links select token_hash from ${schema}.sign_in_links;`;

const rememberDisabled = `
  insert into pg_temp.disabled_accounts
    select id, disabled_at, disabled_by from ${schema}.accounts where disabled_at is not null;`;

const rememberInvitations = `
  insert into pg_temp.open_invitations select token_hash from ${schema}.invitations;`;

const rememberForOnePerson = `
  insert into pg_temp.for_one_person_before select for_one_person from ${schema}.installation;`;

const rememberLines = `
  insert into pg_temp.lines_before (id, ${lineColumns})
  select id, ${lineColumns} from ${schema}.audit_log;`;

const rememberRevokedBefore = `
  insert into pg_temp.revoked_keys select hash from ${schema}.keys_revoked_before_restore;`;

const complete = `
  insert into ${schema}.keys_revoked_before_restore select hash from pg_temp.revoked_keys on conflict do nothing;
  update ${schema}.api_keys set revoked_at = now()
    where revoked_at is null and hash in (select hash from ${schema}.keys_revoked_before_restore);
  update ${schema}.accounts set disabled_at = remembered.disabled_at, disabled_by = remembered.disabled_by
    from pg_temp.disabled_accounts remembered where remembered.id = accounts.id;
  delete from ${schema}.sessions where token_hash not in (select token_hash from pg_temp.open_sessions);
  delete from ${schema}.sign_in_links where token_hash not in (select token_hash from pg_temp.open_links);
  delete from ${schema}.invitations where token_hash not in (select token_hash from pg_temp.open_invitations);
  update ${schema}.leased_work set status = 'open', leased_until = null, claimed_by = null,
    not_before = clock_timestamp(), lease = nextval('${schema}.work_leases')
    where status = 'leased';
  update ${schema}.installation set epoch = gen_random_uuid()::text,
    for_one_person = (select said from pg_temp.for_one_person_before);`;

/**
 * Numbers audit lines with equal content, so that lines can be compared by content and number. Ids
 * cannot be compared: in the restored data, a different line may have the same id.
 */
const numberedLines = (table: string) => `
  select id, ${lineColumns}, hash, row_number() over (partition by hash order by id) as nth
  from (select *, sha256(convert_to(row(${lineColumns})::text, 'UTF8')) as hash from ${table}) as hashed`;

const addLines = `
  insert into ${schema}.audit_log (${lineColumns})
  select ${lineColumns} from (${numberedLines('pg_temp.lines_before')}) as before
  where not exists (
    select from (${numberedLines(`${schema}.audit_log`)}) as restored
    where restored.hash = before.hash and restored.nth = before.nth
  ) order by id;`;

const audit = `
  insert into ${schema}.audit_log
    (organization_id, account_email, caller_kind, action, subject_id, details)
  select organizations.id, 'operator', 'operator', 'installation.restored', epoch, $1
  from ${schema}.organizations, ${schema}.installation`;

async function readLastLease(client: pg.Client): Promise<bigint> {
  const { rows } = await client.query(`select last_value::text from ${schema}.work_leases`);
  return BigInt(rows[0].last_value);
}
