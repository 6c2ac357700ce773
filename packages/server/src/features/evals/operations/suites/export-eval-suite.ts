import { fileFromSuite } from '@proofmark/domain';
import { writeSuiteFile } from '../../../../outside/suite-files/write-suite-file.ts';
import { type Action, refuse } from '../../../../platform/operations/action.ts';
import { findSuite } from './find-suite.ts';
import { readSuiteToWrite } from './read-suite-to-write.ts';
import { refuseUnreadable } from './refuse-unreadable.ts';

export const exportEvalSuite: Action<'exportEvalSuite'> = async (context, { params, query }) => {
  const { project } = context;
  const suite = await context.tenant(async (sql) =>
    readSuiteToWrite(sql, await findSuite(sql, project.id, params.suiteId)),
  );
  refuseUnreadable(suite, suite.cases);
  const written = fileFromSuite(suite);
  if ('refusal' in written) return refuse(written.refusal);
  const format = query.format ?? 'yaml';
  const content = writeSuiteFile(written.file, format);
  return { format, content, warnings: [...written.warnings] };
};
