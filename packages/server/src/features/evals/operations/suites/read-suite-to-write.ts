import { isAdhoc, type SuiteBefore } from '@proofmark/domain';
import type { Sql } from '../../../../platform/database/database.ts';
import { readEnvironment } from '../../../environments/index.ts';
import { listNamedServers } from '../../../servers/index.ts';
import { type AuthoredCase, listAllCases } from '../../store/eval-cases.ts';
import type { AuthoredSuite } from '../../store/eval-suites.ts';
import { listQuarantine } from '../../store/quarantine.ts';

export type WritableSuite = AuthoredSuite & SuiteBefore & { readonly cases: AuthoredCase[] };

export async function readSuiteToWrite(sql: Sql, suite: AuthoredSuite): Promise<WritableSuite> {
  const { id, projectId, serverIds, environmentIds } = suite;
  const named = await listNamedServers(sql, projectId, serverIds);
  const found = await Promise.all(
    environmentIds.map((environmentId) => readEnvironment(sql, projectId, environmentId)),
  );
  const environments = found.filter((one) => one !== undefined);
  const quarantine = await listQuarantine(sql, id);
  return {
    ...suite,
    servers: serverIds.flatMap((serverId) => named.find((server) => server.id === serverId) ?? []),
    environments: environments.filter((one) => !isAdhoc(one)).map(({ name }) => name),
    hasUnnamedEnvironments: environments.some(isAdhoc),
    cases: await listAllCases(sql, id),
    quarantine: quarantine
      .filter(({ source }) => source === 'file')
      .map(({ caseRef: caseId, expiresAt, ...entry }) => ({
        ...entry,
        caseId,
        expiresAt: expiresAt.getTime(),
      })),
  };
}
