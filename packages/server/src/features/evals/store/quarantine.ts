/**
 * The quarantine of a suite. An import replaces the entries of its file. A removed entry from the
 * API is kept as history.
 */
import type { QuarantineSource, StatedQuarantine } from '@proofmark/domain';
import type { Fragment, Sql } from '../../../platform/database/database.ts';

export interface StoredQuarantineEntry {
  readonly id: string;
  /** The declared id or the id of the case, as given in the request or file. */
  readonly caseRef: string;
  readonly model: string | null;
  readonly owner: string;
  readonly reason: string;
  readonly expiresAt: Date;
  readonly source: QuarantineSource;
  readonly createdAt: Date;
  readonly createdByEmail: string;
  readonly removedAt: Date | null;
}

/** Lists the entries that are not removed, oldest first. */
export async function listQuarantine(sql: Sql, suiteId: string): Promise<StoredQuarantineEntry[]> {
  return sql<StoredQuarantineEntry[]>`
    select ${columns(sql)} from quarantine_entries
    where suite_id = ${suiteId} and removed_at is null order by created_at, position, id`;
}

export async function findQuarantineEntry(
  sql: Sql,
  suiteId: string,
  entryId: string,
): Promise<StoredQuarantineEntry | undefined> {
  const [row] = await sql<StoredQuarantineEntry[]>`
    select ${columns(sql)} from quarantine_entries where suite_id = ${suiteId} and id = ${entryId}`;
  return row;
}

export interface NewQuarantineEntry extends StatedQuarantine {
  readonly id: string;
  readonly source: QuarantineSource;
}

interface MadeBy {
  readonly organizationId: string;
  readonly suiteId: string;
  readonly account: { readonly id: string; readonly email: string };
  readonly now: Date;
}

/** The caller must hold the suite's lock. */
export async function insertQuarantine(
  sql: Sql,
  { organizationId, suiteId, account, now }: MadeBy,
  entries: readonly NewQuarantineEntry[],
): Promise<void> {
  if (entries.length === 0) return;
  await sql`insert into quarantine_entries ${sql(
    entries.map(({ id, caseId, model, owner, reason, expiresAt, source }, position) => ({
      id,
      position,
      organization_id: organizationId,
      suite_id: suiteId,
      case_ref: caseId,
      model,
      owner,
      reason,
      expires_at: new Date(expiresAt),
      source,
      created_by: account.id,
      created_by_email: account.email,
      created_at: now,
    })),
  )}`;
}

/** An import calls this before it writes the entries of the new file. */
export async function deleteQuarantineOfFile(sql: Sql, suiteId: string): Promise<void> {
  await sql`delete from quarantine_entries where suite_id = ${suiteId} and source = 'file'`;
}

/** Returns false if the entry was already removed. */
export async function removeQuarantineEntry(
  sql: Sql,
  suiteId: string,
  entryId: string,
  accountId: string,
): Promise<boolean> {
  const rows = await sql`
    update quarantine_entries set removed_at = statement_timestamp(), removed_by = ${accountId}
    where suite_id = ${suiteId} and id = ${entryId} and removed_at is null returning id`;
  return rows.count > 0;
}

export interface ReportedCase {
  readonly id: string;
  readonly caseKey: string;
  readonly declaredId: string | null;
  readonly title: string;
}

export async function listReportedCases(sql: Sql, suiteId: string): Promise<ReportedCase[]> {
  return sql<ReportedCase[]>`
    select id, case_key, declared_id, title from eval_cases
    where suite_id = ${suiteId} and definition is null`;
}

function columns(sql: Sql): Fragment {
  return sql`id, case_ref, model, owner, reason, expires_at, source, created_at, created_by_email, removed_at`;
}
