/**
 * Finds the suite that the path names, or one of its cases. A missing suite or case and one of
 * another project get the same response.
 */
import { notFound } from '@proofmark/domain';
import type { Sql } from '../../../../platform/database/database.ts';
import { refuse } from '../../../../platform/operations/action.ts';
import * as cases from '../../store/eval-cases.ts';
import * as suites from '../../store/eval-suites.ts';

export async function findSuite(
  sql: Sql,
  projectId: string,
  suiteId: string,
  lock: Parameters<typeof suites.readSuite>[3] = 'read',
): Promise<suites.AuthoredSuite> {
  return (await suites.readSuite(sql, projectId, suiteId, lock)) ?? refuse(notFound);
}

/**
 * The lock is taken on the case's suite, so that changes to the cases of one suite happen one after
 * another.
 */
export async function findCase(
  sql: Sql,
  projectId: string,
  params: { readonly suiteId: string; readonly caseId: string },
  lock: Parameters<typeof suites.readSuite>[3] = 'read',
): Promise<cases.AuthoredCase> {
  const suite = await findSuite(sql, projectId, params.suiteId, lock);
  return (await cases.readCase(sql, suite.id, params.caseId)) ?? refuse(notFound);
}
