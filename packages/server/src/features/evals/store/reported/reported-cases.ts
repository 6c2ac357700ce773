import { type CaseIdentityKeys, type KnownCase, KnownCases } from '@proofmark/domain';
import type { Sql } from '../../../../platform/database/database.ts';

export interface WantedCase extends CaseIdentityKeys {
  readonly title: string;
  readonly isNegative: boolean;
}

interface SuiteOfCases {
  readonly suiteId: string;
  readonly organizationId: string;
  newCaseId(): string;
}

/**
 * Returns the id of the case for each key. The caller must hold the suite's lock, so that no other
 * transaction creates or changes a case meanwhile.
 */
export async function resolveCases(
  sql: Sql,
  suite: SuiteOfCases,
  wanted: ReadonlyMap<string, WantedCase>,
): Promise<Map<string, string>> {
  const known = new KnownCases(await readNamed(sql, suite.suiteId, wanted));
  const ids = idsOf(wanted, known);
  if (ids.size === wanted.size) return ids;
  await sql`select from eval_suites where id = ${suite.suiteId} for no key update`;
  const current = new KnownCases(await readRelated(sql, suite.suiteId, wanted));
  const made: (KnownCase & WantedCase)[] = [];
  const adopted: { id: string; declared_id: string | null }[] = [];
  for (const one of wanted.values()) {
    const match = current.match(one);
    if ('adopts' in match) {
      current.add({ ...match.adopts, declaredId: one.declaredId });
      adopted.push({ id: match.adopts.id, declared_id: one.declaredId });
    } else if ('isNew' in match) {
      const added = { ...one, id: suite.newCaseId() };
      current.add(added);
      made.push(added);
    }
  }
  await Promise.all([adoptDeclaredIds(sql, adopted), insertCases(sql, suite, made)]);
  return idsOf(wanted, current);
}

function idsOf(wanted: ReadonlyMap<string, WantedCase>, known: KnownCases): Map<string, string> {
  const ids = new Map<string, string>();
  for (const [key, one] of wanted) {
    const match = known.match(one);
    if ('is' in match) ids.set(key, match.is.id);
  }
  return ids;
}

async function adoptDeclaredIds(
  sql: Sql,
  adopted: readonly { readonly id: string; readonly declared_id: string | null }[],
): Promise<void> {
  if (adopted.length === 0) return;
  await sql`
    update eval_cases set declared_id = adopted.declared_id, updated_at = now()
    from json_to_recordset(${JSON.stringify(adopted)}::text::json) as adopted (id text, declared_id text)
    where eval_cases.id = adopted.id`;
}

/**
 * Reads the cases with exactly these ids and keys. If all wanted cases are among them, no other
 * read is needed.
 */
async function readNamed(
  sql: Sql,
  suiteId: string,
  wanted: ReadonlyMap<string, WantedCase>,
): Promise<KnownCase[]> {
  const declared: string[] = [];
  const keys: string[] = [];
  for (const { declaredId, caseKey } of wanted.values()) {
    if (declaredId === null) keys.push(caseKey);
    else declared.push(declaredId);
  }
  const columns = sql`select id, case_key, content_hash, declared_id from eval_cases where`;
  const found = await Promise.all([
    declared.length > 0
      ? sql<KnownCase[]>`${columns} suite_id = ${suiteId} and declared_id = any (${declared})`
      : [],
    keys.length > 0
      ? sql<KnownCase[]>`${columns} suite_id = ${suiteId} and case_key = any (${keys})`
      : [],
  ]);
  return found.flat();
}

/**
 * Reads all cases with the same key, content or declared id: a stored case without a declared id
 * may turn out to be the wanted one.
 */
async function readRelated(
  sql: Sql,
  suiteId: string,
  wanted: ReadonlyMap<string, WantedCase>,
): Promise<KnownCase[]> {
  const all = [...wanted.values()];
  const declared = all.flatMap(({ declaredId }) => declaredId ?? []);
  const rows = await sql<KnownCase[]>`
    select id, case_key, content_hash, declared_id from eval_cases
    where suite_id = ${suiteId} and case_key = any (${all.map(({ caseKey }) => caseKey)})
    union
    select id, case_key, content_hash, declared_id from eval_cases
    where suite_id = ${suiteId} and content_hash = any (${all.map((one) => one.contentHash)})
    union
    select id, case_key, content_hash, declared_id from eval_cases
    where suite_id = ${suiteId} and declared_id = any (${declared})`;
  return [...rows];
}

async function insertCases(
  sql: Sql,
  suite: SuiteOfCases,
  cases: readonly (KnownCase & WantedCase)[],
): Promise<void> {
  if (cases.length === 0) return;
  const rows = JSON.stringify(
    cases.map((one) => ({
      id: one.id,
      case_key: one.caseKey,
      content_hash: one.contentHash,
      declared_id: one.declaredId,
      title: one.title,
      is_negative: one.isNegative,
    })),
  );
  await sql`
    insert into eval_cases (id, organization_id, suite_id, case_key, content_hash, declared_id, title, is_negative)
    select id, ${suite.organizationId}, ${suite.suiteId}, case_key, content_hash, declared_id, title, is_negative
    from json_to_recordset(${rows}::text::json) as made (
      id text, case_key text, content_hash text, declared_id text, title text, is_negative boolean)`;
}
