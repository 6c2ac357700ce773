/**
 * The identity of a row as a case: the id of the case plus a digest of the case's id and the row's
 * key. The id stays the same when other rows are added, removed or sorted. A reporter (a program
 * that runs trials elsewhere) can compute it too.
 */
import type { CaseData, DataRow } from './case-data.ts';
import { keyOfRow } from './case-data.ts';

type Hash = (text: string) => string;

const digestLength = 12;
/**
 * The longest id of a case with rows. An id has at most 128 characters, and the id of a row adds a
 * dash and a digest.
 */
export const longestIdWithRows = 128 - 1 - digestLength;

export function rowSuffix(caseId: string, keyValue: string, sha256Hex: Hash): string {
  return `-${sha256Hex(`${caseId}\0${keyValue}`).slice(0, digestLength).toLowerCase()}`;
}

/** Removes the suffix of a row from a case key; undefined if there is no such suffix. */
export function caseKeyOfRow(caseKey: string): string | undefined {
  const found = /^(.+)-[0-9a-f]{12}$/s.exec(caseKey);
  return found?.[1];
}

/**
 * Returns a sample of the rows in their original order: the rows with the smallest digests of seed
 * and key.
 */
export function sampleRows(
  { key, rows, sample }: Pick<CaseData, 'key' | 'rows' | 'sample'>,
  sha256Hex: Hash,
): readonly DataRow[] {
  if (sample === undefined || sample.rows >= rows.length) return rows;
  const ranked = rows.map((row) => ({
    row,
    digest: sha256Hex(`${sample.seed}\0${keyOfRow(row, key) ?? ''}`),
  }));
  ranked.sort((one, other) => (one.digest < other.digest ? -1 : 1));
  const taken = new Set(ranked.slice(0, sample.rows).map(({ row }) => row));
  return rows.filter((row) => taken.has(row));
}
