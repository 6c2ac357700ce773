import type { Sql } from '../../../../platform/database/database.ts';
import { databaseNow } from '../../../../platform/database/database-now.ts';
import { listAllCases } from '../../store/eval-cases.ts';
import type { AuthoredSuite } from '../../store/eval-suites.ts';
import { listSteadyVariants } from '../../store/histories.ts';
import { listReportedCases } from '../../store/quarantine.ts';
import type { QuarantinedSuite } from './quarantine-of-suite.ts';

export async function readQuarantinedSuite(
  sql: Sql,
  { id, definition }: AuthoredSuite,
): Promise<QuarantinedSuite> {
  const authored = await listAllCases(sql, id);
  const cases =
    authored.length === 0
      ? await listReportedCases(sql, id)
      : authored.map((one) => ({ ...one, title: one.definition.title }));
  const share = definition.settings.quarantineShare;
  return { cases, share, steady: await listSteadyVariants(sql, id), now: await databaseNow(sql) };
}
