/**
 * Authored cases. If an author writes a case that is already known from reports, the reported case
 * becomes authored and keeps its id and history. An edit keeps the case's key. Every writer must
 * hold the suite's lock.
 */
import {
  type CaseData,
  cutPage,
  type EvalCaseDefinition,
  identifyAuthoredCase,
  isRecord,
  type Page,
  type PageRequest,
} from '@proofmark/domain';
import { sha256Hex } from '../../../kernel/sha256-hex.ts';
import type { Sql } from '../../../platform/database/database.ts';
import {
  type Document,
  readRecord,
  readRecords,
} from '../../../platform/database/read-document.ts';

export interface AuthoredCase {
  readonly id: string;
  readonly suiteId: string;
  readonly caseKey: string;
  readonly contentHash: string;
  readonly declaredId: string | null;
  readonly position: number;
  readonly definition: EvalCaseDefinition;
  /** The number of data rows. Lists of cases contain this number but not the rows. */
  readonly rowCount?: number;
  /** Present if the stored definition cannot be read. */
  readonly isUnreadable?: true;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export async function listAllCases(sql: Sql, suiteId: string): Promise<AuthoredCase[]> {
  const rows = await sql<CaseRow[]>`
    ${selected(sql)} where suite_id = ${suiteId} and definition is not null order by position`;
  return rows.map(readRow);
}

/** Omits the data rows of the cases. */
export async function listCases(
  sql: Sql,
  suiteId: string,
  page: PageRequest,
): Promise<Page<AuthoredCase>> {
  const rows = await sql<CaseRow[]>`
    select ${columnsOfList(sql)} from eval_cases where suite_id = ${suiteId} and definition is not null
      ${page.after ? sql`and position > ${page.after.order}` : sql``}
    order by position limit ${page.limit + 1}`;
  return cutPage(rows.map(readRow), page.limit, ({ position, id }) => ({ order: position, id }));
}

export async function readCase(
  sql: Sql,
  suiteId: string,
  caseId: string,
): Promise<AuthoredCase | undefined> {
  const [row] = await sql<CaseRow[]>`
    ${selected(sql)} where suite_id = ${suiteId} and id = ${caseId} and definition is not null`;
  return row && readRow(row);
}

/** Returns the number of authored cases, and the declared ids and contents that exist already. */
export async function readTakenCases(sql: Sql, suiteId: string): Promise<TakenCases> {
  const rows = await sql<{ declaredId: string | null; contentHash: string }[]>`
    select declared_id, content_hash from eval_cases
    where suite_id = ${suiteId} and definition is not null`;
  return {
    count: rows.length,
    declaredIds: new Set(rows.flatMap(({ declaredId }) => declaredId ?? [])),
    contentHashes: new Set(rows.map(({ contentHash }) => contentHash)),
  };
}

export interface TakenCases {
  readonly count: number;
  readonly declaredIds: ReadonlySet<string>;
  readonly contentHashes: ReadonlySet<string>;
}

export interface NewCase {
  readonly id: string;
  readonly caseKey?: string;
  readonly definition: EvalCaseDefinition;
}

/** Inserts the cases in the given order, after the existing ones. Returns their ids. */
export async function insertCases(
  sql: Sql,
  suite: { readonly organizationId: string; readonly suiteId: string },
  cases: readonly NewCase[],
): Promise<string[]> {
  if (cases.length === 0) return [];
  const wanted = cases.map(identified);
  const known = await readKnown(sql, suite.suiteId, wanted);
  const { made, adopted } = rowsOfCases(wanted, known);
  // A reported case that becomes authored is deleted and inserted again, so that it gets the next
  // position in the given order.
  if (adopted.length > 0) await sql`delete from eval_cases where id = any (${adopted})`;
  await sql`
    insert into eval_cases
      (id, organization_id, suite_id, case_key, content_hash, declared_id, title, is_negative, definition, data_rows)
    select id, ${suite.organizationId}, ${suite.suiteId}, case_key, content_hash, declared_id, title, is_negative,
      definition, data_rows
    from json_to_recordset(${JSON.stringify(made)}::text::json) as made (
      place integer, id text, case_key text, content_hash text, declared_id text, title text, is_negative boolean,
      definition text, data_rows text)
    order by place`;
  return made.map(({ id }) => id);
}

type IdentifiedCase = ReturnType<typeof identified>;

function identified(one: NewCase) {
  return { ...one, ...identifyAuthoredCase(one.definition, sha256Hex), given: one.caseKey };
}

/** Converts new cases to rows. `adopted` lists the ids of reported cases that become authored. */
function rowsOfCases(wanted: readonly IdentifiedCase[], known: KnownRow[]) {
  const taken = new Set(known.map(({ caseKey }) => caseKey));
  const adopted: string[] = [];
  const made = wanted.map((one, place) => {
    const reported = known.find((other) => !other.isAuthored && isSame(one, other));
    const row = {
      place,
      content_hash: one.contentHash,
      title: one.definition.title,
      is_negative: one.definition.isNegative === true,
      ...documentsOf(one.definition),
    };
    if (reported !== undefined) {
      adopted.push(reported.id);
      known.splice(known.indexOf(reported), 1);
      const declared_id = one.declaredId ?? reported.declaredId;
      return { ...row, id: reported.id, case_key: reported.caseKey, declared_id };
    }
    const key = one.given ?? one.caseKey;
    const case_key = taken.has(key) ? `case:${one.id}` : key;
    taken.add(case_key);
    return { ...row, id: one.id, case_key, declared_id: one.declaredId };
  });
  return { made, adopted };
}

export function casesAsStored(
  suiteId: string,
  cases: readonly NewCase[],
): { readonly cases: AuthoredCase[]; readonly rowsLength: number } {
  const { made } = rowsOfCases(cases.map(identified), []);
  const at = new Date();
  return {
    cases: made.map((row) =>
      readRow({
        id: row.id,
        suiteId,
        caseKey: row.case_key,
        contentHash: row.content_hash,
        declaredId: row.declared_id,
        title: row.title,
        position: String(row.place + 1),
        definition: row.definition,
        dataRows: row.data_rows,
        createdAt: at,
        updatedAt: at,
      }),
    ),
    rowsLength: made.reduce((whole, { data_rows }) => whole + (data_rows?.length ?? 0), 0),
  };
}

export async function storeCase(
  sql: Sql,
  caseId: string,
  definition: EvalCaseDefinition,
): Promise<AuthoredCase> {
  const { contentHash } = identifyAuthoredCase(definition, sha256Hex);
  const [row] = await sql<CaseRow[]>`
    update eval_cases set ${sql({
      content_hash: contentHash,
      title: definition.title,
      is_negative: definition.isNegative === true,
      ...documentsOf(definition),
    })}, updated_at = clock_timestamp()
    where id = ${caseId} returning ${columns(sql)}`;
  return readRow(row as CaseRow);
}

export async function readRowsLength(sql: Sql, suiteId: string): Promise<number> {
  const [row] = await sql<{ length: number }[]>`
    select coalesce(sum(length(data_rows)), 0)::integer as length from eval_cases where suite_id = ${suiteId}`;
  return row?.length ?? 0;
}

export async function deleteCase(sql: Sql, caseId: string): Promise<void> {
  await sql`delete from eval_cases where id = ${caseId}`;
}

export async function deleteAllCases(sql: Sql, suiteId: string): Promise<void> {
  await sql`delete from eval_cases where suite_id = ${suiteId} and definition is not null`;
}

export function contentHashOf(definition: EvalCaseDefinition): string {
  return identifyAuthoredCase(definition, sha256Hex).contentHash;
}

interface Identity {
  readonly caseKey: string;
  readonly declaredId: string | null;
}

interface KnownRow extends Identity {
  readonly id: string;
  readonly isAuthored: boolean;
}

async function readKnown(
  sql: Sql,
  suiteId: string,
  wanted: readonly (Identity & { readonly contentHash: string })[],
): Promise<KnownRow[]> {
  const declared = wanted.flatMap(({ declaredId }) => declaredId ?? []);
  const keys = wanted.flatMap(({ caseKey, contentHash }) => [caseKey, `content:${contentHash}`]);
  const rows = await sql<KnownRow[]>`
    select id, case_key, declared_id, definition is not null as is_authored from eval_cases
    where suite_id = ${suiteId} and (declared_id = any (${declared}) or case_key = any (${keys}))
    order by declared_id is null, id`;
  return [...rows];
}

/**
 * Two cases are the same if their declared ids are equal. A stored case without a declared id
 * matches if its key is the content hash of `one`.
 */
function isSame(one: Identity & { readonly contentHash: string }, other: Identity): boolean {
  if (one.declaredId === null) return other.caseKey === one.caseKey;
  if (other.declaredId !== null) return other.declaredId === one.declaredId;
  return other.caseKey === `content:${one.contentHash}`;
}

/** The definition stores only the number of data rows. The rows have their own column. */
function documentsOf({ data, ...rest }: EvalCaseDefinition) {
  if (data === undefined) return { definition: JSON.stringify(rest), data_rows: null };
  const { rows, file: _none, ...about } = data;
  const definition = { ...rest, data: { ...about, rowCount: rows.length } };
  return { definition: JSON.stringify(definition), data_rows: JSON.stringify(rows) };
}

type CaseRow = Omit<AuthoredCase, 'definition' | 'position' | 'isUnreadable' | 'rowCount'> & {
  readonly title: string;
  readonly definition: string;
  /** Absent in lists of cases. */
  readonly dataRows?: string | null;
  readonly position: string;
};

function readRow({ title, dataRows, ...row }: CaseRow): AuthoredCase {
  const stored = { ...row, position: Number(row.position) };
  const none: EvalCaseDefinition = { title, steps: [] };
  const unreadable: AuthoredCase = { ...stored, definition: none, isUnreadable: true };
  const definition = readRecord(row.definition);
  if (definition === undefined || !isDefinition(definition)) return unreadable;
  if (definition.data === undefined) return { ...stored, definition };
  const { rowCount, ...about } = definition.data as CaseData & { readonly rowCount: number };
  const rows = typeof dataRows === 'string' ? readRecords(dataRows) : [];
  if (typeof dataRows === 'string' && rows.length !== rowCount) return unreadable;
  return { ...stored, rowCount, definition: { ...definition, data: { ...about, rows } } };
}

function isDefinition(definition: Document): definition is Document & EvalCaseDefinition {
  const { title, steps, models, checks, data } = definition;
  return (
    typeof title === 'string' &&
    Array.isArray(steps) &&
    steps.every(isRecord) &&
    (models === undefined || (Array.isArray(models) && models.every(isRecord))) &&
    (checks === undefined || isRecord(checks)) &&
    (data === undefined || (isRecord(data) && typeof data['rowCount'] === 'number'))
  );
}

function selected(sql: Sql) {
  return sql`select ${columns(sql)} from eval_cases`;
}

function columns(sql: Sql) {
  return sql`${columnsOfList(sql)}, data_rows`;
}

function columnsOfList(sql: Sql) {
  return sql`id, suite_id, case_key, content_hash, declared_id, position, title, definition, created_at, updated_at`;
}
