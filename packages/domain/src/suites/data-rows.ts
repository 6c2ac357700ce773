/**
 * Which case a row is. Its id is that of the case with a digest of the case's id and the row's key, so it stays the same
 * when other rows come and go or are put in another order, and a reporter can say it too.
 */
import type { CaseData, DataRow } from './case-data.ts';
import { keyOfRow } from './case-data.ts';

type Hash = (text: string) => string;

const digestLength = 12;
/** An id of a case is at most 128 characters, and one of a row has a dash and its digest more. */
export const longestIdWithRows = 128 - 1 - digestLength;

/** What is behind the id of the case: a dash, and 12 hexadecimal digits. */
export function rowSuffix(caseId: string, keyValue: string, sha256Hex: Hash): string {
  return `-${sha256Hex(`${caseId}\0${keyValue}`).slice(0, digestLength).toLowerCase()}`;
}

/** The key of the case whose row this could be. */
export function caseKeyOfRow(caseKey: string): string | undefined {
  const found = /^(.+)-[0-9a-f]{12}$/s.exec(caseKey);
  return found?.[1];
}

/** The rows with the smallest digests of seed and key, in the order they stand. */
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
