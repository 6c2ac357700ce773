import { fileFromSuite } from '@proofmark/domain';
import { findEnvironment } from '../../storage/environments.ts';
import { listAllCases } from '../../storage/eval-cases.ts';
import { listNamedServers } from '../../storage/server-names.ts';
import { writeSuiteFile } from '../../suite-files/write-suite-file.ts';
import { type Action, refuse } from '../action.ts';
import { findSuite } from './find-suite.ts';

export const exportEvalSuite: Action<'exportEvalSuite'> = async (context, { params, query }) => {
  const { project } = context;
  const suite = await context.tenant(async (sql) => {
    const found = await findSuite(sql, project.id, params.suiteId);
    const named = await listNamedServers(sql, project.id, found.serverIds);
    const environments = await Promise.all(
      found.environmentIds.map((id) => findEnvironment(sql, project.id, id)),
    );
    return {
      ...found,
      servers: found.serverIds.flatMap((id) => named.find((server) => server.id === id) ?? []),
      environments: environments.flatMap((one) => one?.name ?? []),
      cases: await listAllCases(sql, found.id),
    };
  });
  const written = fileFromSuite(suite);
  if ('refusal' in written) return refuse(written.refusal);
  const format = query.format ?? 'yaml';
  const content = writeSuiteFile(written.file, format);
  return { format, content, warnings: [...written.warnings] };
};
