/**
 * Returns the suite of the path, and a case of it, or the one response for everything that does not
 * exist.
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

/** A change of a case locks its suite, so that the cases of a suite change one at a time. */
export async function findCase(
  sql: Sql,
  projectId: string,
  params: { readonly suiteId: string; readonly caseId: string },
  lock: Parameters<typeof suites.readSuite>[3] = 'read',
): Promise<cases.AuthoredCase> {
  const suite = await findSuite(sql, projectId, params.suiteId, lock);
  return (await cases.readCase(sql, suite.id, params.caseId)) ?? refuse(notFound);
}
