import * as rules from '@proofmark/domain';
import type { Sql } from '../../../platform/database/database.ts';
import { readEnvironmentParts, type StoredEnvironment } from '../../environments/index.ts';

export async function resolveForVisitors(
  sql: Sql,
  environment: StoredEnvironment,
): Promise<ReturnType<typeof rules.resolveForVisitors>> {
  return rules.resolveForVisitors(await readEnvironmentParts(sql, environment));
}
