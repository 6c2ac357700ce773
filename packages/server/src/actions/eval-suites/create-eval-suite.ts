import { editSettings, inlineCasesAt } from '@proofmark/domain';
import type { Action } from '../action.ts';
import { authorSuite } from './author-suite.ts';
import { refusePatterns } from './refuse-patterns.ts';
import { refuseRows } from './refuse-rows.ts';

export const createEvalSuite: Action<'createEvalSuite'> = async (context, { body }) => {
  const { name, description, serverIds, tags, model, provider, tests } = body;
  const minimumAccuracy = body.passCriteria?.minimumPassRate;
  const stated = minimumAccuracy === undefined ? {} : { minimumAccuracy };
  const cases = inlineCasesAt('body.tests', tests, { model });
  refusePatterns(cases, body.settings?.checks);
  await refuseRows(cases);
  return context.tenant((sql) =>
    authorSuite(sql, context, {
      name,
      description,
      serverIds,
      tags,
      definition: {
        model,
        ...(provider !== undefined && { provider }),
        settings: editSettings(stated, body.settings ?? {}),
      },
      cases,
    }),
  );
};
